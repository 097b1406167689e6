import { afterEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { consumer } from '#functions/consumer/consumer/contract.ts';
import { validate } from '#lib/contract/validation.ts';
import { ConnectorSecret } from '#lib/config/config.schema.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import type { Runtime } from '#sandbox/aws/runtime/runtime.ts';
import { startMdmStack } from '../support/mdm/mdm-sandbox.ts';
import * as release from '../support/releases/0.1.0.ts';
import { runtimesOf } from '../support/stack/runtimes.ts';
import { use } from '../support/jest/use.ts';

/*
 * An upgrade from 0.1.0 in the middle of a stream: what that version left in Redis, in its schedules and in its secret
 * is met by the packaged functions of today.
 */

const STREAM = 'source-submit:0';

const server = await use(startRedisServer());
const stack = await use(startMdmStack());
// as it was written for 0.1.0: nothing that it did not know
stack.secrets.set('test/default', {
  mdm: stack.mdm.secret,
  redis: { url: server.url },
  ingest: { stream: 'source-submit', shards: 1 },
});
const runtimes = await use(runtimesOf(stack));
const run = await runtimes.start('stream-consumer');
const redrive = await runtimes.start('stream-redrive');
afterEach(() => server.command('FLUSHALL'));

const add = (key: string, fields: object) =>
  server.command('XADD', key, '*', ...(Object.entries(fields).flat() as string[])) as Promise<string>;
const record = (name: string) => ({ name, country: { Code: 'DE' } });
const submitted = (sourcePKey: string) =>
  stack.mdm.records.source('c360.city', 'geonames', sourcePKey)?.fields.get('name')?.value;

async function invoke(runtime: Runtime, input: object) {
  const { payload, functionError } = await runtime.invoke(JSON.stringify(input), { timeoutMs: 60_000 });
  expect([functionError, payload]).toEqual([undefined, payload]);
  return JSON.parse(payload) as Record<string, unknown>;
}

describe('after an upgrade from 0.1.0', () => {
  it.each(release.SCHEDULE_INPUTS)(
    'after an upgrade from 0.1.0, its schedules work until they are replaced: $target',
    async (input) => {
      await add(STREAM, release.entryOf('berlin', record('Berlin')));

      expect(validate(consumer.input, structuredClone(input))).toEqual([]);
      expect(await invoke(run, input)).toMatchObject({ processed: 1, pending: 0, stoppedBecause: 'drained' });
      expect(submitted('berlin')).toBe('Berlin');
    },
  );

  it('a consumer upgraded from 0.1.0 carries added and unacknowledged entries in order', async () => {
    await server.command('XGROUP', 'CREATE', STREAM, 'mdm', '0', 'MKSTREAM');
    await add(STREAM, release.entryOf('bonn', record('Bonn, first')));
    await add(STREAM, release.entryOf('bonn', record('Bonn, second')));
    await server.command('XREADGROUP', 'GROUP', 'mdm', release.CONSUMER, 'COUNT', '1', 'STREAMS', STREAM, '>');

    expect(await invoke(run, release.SCHEDULE_INPUTS[0]!)).toMatchObject({ processed: 2, recovered: 1, pending: 0 });
    expect(submitted('bonn')).toBe('Bonn, second');
  });

  it("a new version's run takes over an older run's lease, which then acknowledges nothing", async () => {
    await server.command('XGROUP', 'CREATE', STREAM, 'mdm', '0', 'MKSTREAM');
    const id = await add(STREAM, release.entryOf('kiel', record('Kiel')));
    await server.command('XREADGROUP', 'GROUP', 'mdm', release.CONSUMER, 'COUNT', '1', 'STREAMS', STREAM, '>');
    await server.command('SET', release.LEASE, 'old-token', 'PX', '60000');
    await server.command('XGROUP', 'CREATE', release.FENCE, 'mdm', '$', 'MKSTREAM');
    await server.command('PEXPIRE', release.FENCE, '60000');

    expect(await invoke(run, release.SCHEDULE_INPUTS[0]!)).toMatchObject({ read: 0, stoppedBecause: 'lease-held' });
    await server.command('DEL', release.LEASE, release.FENCE); // as when its time is over
    const next = invoke(run, release.SCHEDULE_INPUTS[0]!);
    const bury = [
      release.BURY,
      '3',
      release.LEASE,
      STREAM,
      release.DEAD_LETTERS,
      'old-token',
      'mdm',
      id,
      'dl-reason',
      'x',
    ];

    await expect(server.command('EVAL', ...bury)).rejects.toThrow('LEASELOST');
    expect(await next).toMatchObject({ processed: 1, pending: 0 });
    expect(await server.command('EXISTS', release.DEAD_LETTERS)).toBe(0);
  });

  it("a consumer upgraded from 0.1.0 honours the target's rest, and continues after it", async () => {
    await add(STREAM, release.entryOf('ulm', record('Ulm')));
    await server.command('SET', release.REST, '', 'PX', '1500');

    expect(await invoke(run, release.SCHEDULE_INPUTS[0]!)).toMatchObject({ read: 0, stoppedBecause: 'paused' });
    await server.command('DEL', release.REST); // as when its time is over
    expect(await invoke(run, release.SCHEDULE_INPUTS[0]!)).toMatchObject({ processed: 1 });
  });

  it('a redrive puts 0.1.0 letters back, without the fields that they had as letters', async () => {
    const letter = { ...release.entryOf('jena', record('Jena')), ...release.letterFields('1-1') };
    await add(release.DEAD_LETTERS, letter);

    expect(await invoke(redrive, { stream: STREAM, group: 'mdm' })).toMatchObject({ redriven: 1, remaining: 0 });
    const [[, fields]] = (await server.command('XRANGE', STREAM, '-', '+')) as [[string, string[]]];
    expect(fields.filter((_, at) => at % 2 === 0).sort()).toEqual([
      'businessEntity',
      'record',
      'sourcePKey',
      'sourceSystem',
    ]);
    expect(await invoke(run, release.SCHEDULE_INPUTS[0]!)).toMatchObject({ processed: 1 });
    expect(submitted('jena')).toBe('Jena');
  });
});

/** The names of a schema's members, with those of the objects in it: `ingest`, `ingest.group`, … */
function membersOf(schema: { properties?: Record<string, object> }, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    prefix + name,
    ...(prefix + name === 'mdm.auth' || prefix + name === 'ingest.consumer'
      ? []
      : membersOf(member, `${prefix}${name}.`)),
  ]);
}

it('the guide lists each member of the secret that 0.1.0 refuses, for a rollback', () => {
  const guide = readFileSync('docs/upgrade.md', 'utf8');
  const [, table = ''] = /<!-- members of the secret -->([^]*?)<!-- \/members -->/.exec(guide) ?? [];
  const listed = [...table.matchAll(/`([a-z]+(?:\.[a-zA-Z]+)*)`/g)].map(([, name]) => name!);
  const members = membersOf(ConnectorSecret);

  expect(members).toEqual(expect.arrayContaining(release.SECRET_MEMBERS));
  expect(listed.sort()).toEqual(members.filter((name) => !release.SECRET_MEMBERS.includes(name)).sort());
});
