import { describe, expect, it } from '@jest/globals';
import { createClient, RESP_TYPES } from 'redis';
import { hashOfKey, joinKey } from '#lib/consumer/entry.ts';
import { startFixture } from '#test/support/stream/stream-fixture.ts';
import { use } from '#test/support/jest/use.ts';

const fixture = await use(startFixture());

const GROUP = 'mdm';

interface Letter {
  /** Fields of the entry. */
  fields: string[];
  sourceId?: string;
  reason?: string;
  type?: string;
  ageMs?: number;
  stream?: string;
  group?: string;
}

const deadStreamOf = (stream: string) => `{${stream}}:dead:${GROUP}`;
const supersededKeyOf = (stream: string) => `{${stream}}:superseded:${GROUP}`;

/** Writes a dead letter as the consumer does; returns its id. */
async function bury(stream: string, letter: Letter, dead = deadStreamOf(stream)): Promise<string> {
  const { fields, sourceId = '1-1', reason = 'not JSON', type = 'MDM:CLIENT_ERROR', ageMs = 0 } = letter;
  const origin = ['dl-stream', letter.stream ?? stream, 'dl-group', letter.group ?? GROUP, 'dl-source-id', sourceId];
  const why = ['dl-reason', reason, 'dl-error-type', type, 'dl-deliveries', '1'];
  const time = ['dl-time', new Date(Date.now() - ageMs).toISOString()];
  return (await fixture.redis('XADD', dead, '*', ...fields, ...origin, ...why, ...time)) as string;
}

/** A stream with dead letters; returns its key, and their stream and ids. */
async function withDeadLetters(...letters: (Omit<Letter, 'fields'> & { name: string })[]) {
  const stream = fixture.key();
  const ids: string[] = [];
  for (const [index, { name, ...letterFields }] of letters.entries()) {
    ids.push(await bury(stream, { fields: ['name', name], sourceId: `${index}-1`, ...letterFields }));
  }
  return { stream, dead: deadStreamOf(stream), ids };
}

/** A source record of a key. */
const recordOf = (sourcePKey: string, version: string) => [
  'businessEntity',
  'c360.city',
  'sourceSystem',
  'geonames',
  'sourcePKey',
  sourcePKey,
  'record',
  version,
];
const noteOf = (sourcePKey: string) => hashOfKey(joinKey(['c360.city', 'geonames', sourcePKey]));
const entriesOf = async (stream: string) => (await fixture.redis('XRANGE', stream, '-', '+')) as [string, string[]][];
const recordsOf = async (stream: string) => (await entriesOf(stream)).map(([, fields]) => fields[7]);

interface Report {
  redriven: number;
  remaining: number;
  superseded: number;
  entries: { id: string; sourceId: string; reason: string; redrivenAs: string | null; superseded: boolean }[];
}

async function redrive(parameters: object): Promise<{ output: Report; error?: { type: string } }> {
  const outcome = await fixture.call('direct invocation', 'redrive', { group: GROUP, ...parameters });
  return outcome as { output: Report };
}

describe('stream-redrive', () => {
  it('a redrive puts dead letters back at the end, the oldest first, without their dl- fields', async () => {
    const { stream, dead } = await withDeadLetters({ name: 'a' }, { name: 'b' });
    await fixture.redis('XADD', stream, '*', 'name', 'before');

    const { output } = await redrive({ stream });

    const entries = (await fixture.redis('XRANGE', stream, '-', '+')) as [string, string[]][];
    expect(entries.map(([, fields]) => fields)).toEqual([
      ['name', 'before'],
      ['name', 'a'],
      ['name', 'b'],
    ]);
    expect(output).toMatchObject({ redriven: 2, remaining: 0, entries: [{ redrivenAs: entries[1]![0] }, {}] });
    expect(await fixture.redis('XLEN', dead)).toBe(0);
  });

  it('a redrive chooses letters by count, reason, error type and age', async () => {
    const { stream } = await withDeadLetters(
      { name: 'old', ageMs: 60_000 },
      { name: 'other reason', reason: 'API answered 422', ageMs: 50_000 },
      { name: 'other type', type: 'MDM:SERVER_ERROR', ageMs: 40_000 },
      { name: 'too young' },
    );

    const filters = { reason: 'JSON', errorType: 'MDM:CLIENT_ERROR', olderThanMs: 30_000, count: 5 };
    const { output } = await redrive({ stream, ...filters });

    expect(output).toMatchObject({ redriven: 1, remaining: 3, entries: [{ sourceId: '0-1' }] });
  });

  it('a redrive puts back only the letters chosen by id, each once and the oldest first', async () => {
    const { stream, ids } = await withDeadLetters({ name: 'a' }, { name: 'b' }, { name: 'c' });
    const chosen = [ids[2]!, ids[0]!, ids[2]!, '1-1'];

    const listed = await redrive({ stream, ids: chosen, dryRun: true });
    const { output } = await redrive({ stream, ids: chosen, count: 1 });

    expect(listed.output.entries.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect(output).toMatchObject({ redriven: 2, remaining: 1, entries: [{ sourceId: '0-1' }, { sourceId: '2-1' }] });
    expect((await entriesOf(stream)).map(([, fields]) => fields[1])).toEqual(['a', 'c']);
  });

  it('a redrive only lists letters in a dry run', async () => {
    const { stream, ids } = await withDeadLetters({ name: 'a' });

    const { output } = await redrive({ stream, dryRun: true });

    expect(output).toMatchObject({ redriven: 0, remaining: 1, entries: [{ id: ids[0], redrivenAs: null }] });
    expect(await fixture.redis('EXISTS', stream)).toBe(0);
  });

  it('a redrive leaves a dead letter in place if the stream refuses it', async () => {
    const { stream, dead } = await withDeadLetters({ name: 'a' });
    await fixture.redis('SET', stream, 'not a stream');

    const { error } = await redrive({ stream });

    expect(error?.type).toBe('STREAM:WRONG_TYPE');
    expect(await fixture.redis('XLEN', dead)).toBe(1);
  });

  it('a redrive responds over HTTP too, and refuses to redrive a stream into itself', async () => {
    const stream = fixture.key();

    const outcome = await fixture.call('HTTP', 'redrive', { stream, group: GROUP, deadLetterStream: stream });

    expect(outcome).toMatchObject({ status: 400, error: { type: 'STREAM:ARGUMENT' } });
  });

  it('a redrive restores entries byte by byte: repeated fields, invalid UTF-8, dl- fields', async () => {
    const stream = fixture.key();
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    const fields = ['tag', 'red', 'tag', 'blue', 'dl-note', 'mine', 'dl-reason', 'of the producer', 'raw', bytes];
    await bury(stream, { fields: fields as string[] });

    await redrive({ stream });

    const raw = createClient({ url: fixture.url, RESP: 2 }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
    await raw.connect();
    const [[, back]] = (await raw.sendCommand(['XRANGE', stream, '-', '+'])) as unknown as [[Buffer, Buffer[]]];
    raw.destroy();
    expect(back.map((word) => word.toString('latin1'))).toEqual(
      fields.map((word) => Buffer.from(word as string).toString('latin1')),
    );
  });
});

describe('a redrive of many letters', () => {
  it('a redrive never moves more than it can report: 10,000 with long reasons take two calls', async () => {
    const { stream, dead } = await withDeadLetters();
    const reason = `\u0001"${'é'.repeat(480)}`;
    await Promise.all(
      Array.from({ length: 10_000 }, (_, index) => bury(stream, { fields: ['name', String(index)], reason })),
    );

    const first = await fixture.call('HTTP', 'redrive', { stream, group: GROUP, count: 10_000 });
    const moved = (first.output as Report).redriven;

    expect(first.status).toBe(200);
    expect(moved).toBeGreaterThan(1000);
    expect((first.output as Report).entries).toHaveLength(moved);
    expect((first.output as Report).remaining).toBe(10_000 - moved);
    expect(await fixture.redis('XLEN', stream)).toBe(moved);
    expect(await fixture.redis('XLEN', dead)).toBe(10_000 - moved);
  });

  it('a redrive of many letters continues after a letter with nothing but dl- fields', async () => {
    const stream = fixture.key();
    const empty = await bury(stream, { fields: [] });
    await bury(stream, { fields: ['name', 'behind'] });

    const { output } = await redrive({ stream });

    expect(output).toMatchObject({ redriven: 1, remaining: 1 });
    expect(output.entries).toMatchObject([{ id: empty, redrivenAs: null }, {}]);
    expect((await entriesOf(stream)).map(([, fields]) => fields)).toEqual([['name', 'behind']]);
  });

  it('a redrive of many letters continues after a letter that is too long for a script to write', async () => {
    const stream = fixture.key();
    await bury(stream, { fields: Array.from({ length: 9000 }, (_, index) => String(index)) });
    await bury(stream, { fields: ['name', 'behind'] });

    const { output } = await redrive({ stream });

    expect(output).toMatchObject({ redriven: 1, remaining: 1 });
  });

  it('a redrive reports what it moved before the stream refused the next', async () => {
    const { stream } = await withDeadLetters({ name: 'a' }, { name: 'b' });
    await fixture.redis('XADD', stream, '18446744073709551615-18446744073709551614', 'name', 'last');

    const first = await redrive({ stream });
    const second = await redrive({ stream });

    expect(first.output).toMatchObject({ redriven: 1, remaining: 1, entries: [{ sourceId: '0-1' }] });
    expect(second.error?.type).toMatch(/^STREAM:/);
  });
});

describe('a dead-letter stream shared by several shards and groups', () => {
  it("a redrive puts back a shard's own letters only", async () => {
    const [stream, other, dead] = [fixture.key('s:0'), fixture.key('s:1'), fixture.key('dead')];
    await bury(stream, { fields: ['name', 'of the other shard'], stream: other }, dead);
    await bury(stream, { fields: ['name', 'of the other group'], group: 'audit' }, dead);
    await bury(stream, { fields: ['name', 'mine'] }, dead);

    const { output } = await redrive({ stream, deadLetterStream: dead });

    expect(output).toMatchObject({ redriven: 1, remaining: 2 });
    expect((await entriesOf(stream)).map(([, fields]) => fields)).toEqual([['name', 'mine']]);
    expect((await redrive({ stream: other, deadLetterStream: dead })).output).toMatchObject({ redriven: 1 });
  });

  it('letters without an origin stay in a shared stream, unless the redrive is forced', async () => {
    const [stream, dead] = [fixture.key(), fixture.key('dead')];
    await fixture.redis('XADD', dead, '*', 'name', 'a', 'dl-source-id', '1-1', 'dl-reason', 'not JSON');

    expect((await redrive({ stream, deadLetterStream: dead })).output).toMatchObject({ redriven: 0, remaining: 1 });
    expect((await redrive({ stream, deadLetterStream: dead, force: true })).output).toMatchObject({ redriven: 1 });
  });

  it("a redrive takes a 0.1.0 letter, which names no origin, from the group's own dead-letter stream", async () => {
    const stream = fixture.key();
    await fixture.redis('XADD', deadStreamOf(stream), '*', 'name', 'a', 'dl-source-id', '1-1', 'dl-reason', 'not JSON');

    expect((await redrive({ stream })).output).toMatchObject({ redriven: 1, remaining: 0 });
  });
});

describe('a letter overtaken by its key', () => {
  it('a letter stays while a later entry of its key is unread', async () => {
    const stream = fixture.key();
    const letter = await bury(stream, { fields: recordOf('1', 'old') });
    await bury(stream, { fields: recordOf('2', 'alone') });
    await fixture.redis('XADD', stream, '*', ...recordOf('1', 'new'));

    const { output } = await redrive({ stream });

    expect(output).toMatchObject({ redriven: 1, superseded: 1, remaining: 1 });
    expect(output.entries).toMatchObject([
      { id: letter, superseded: true, redrivenAs: null },
      { superseded: false, redrivenAs: expect.stringMatching(/-/) },
    ]);
    expect(await recordsOf(stream)).toEqual(['new', 'alone']);
  });

  it('a letter stays while a later entry of its key is pending', async () => {
    const stream = fixture.key();
    await fixture.redis('XGROUP', 'CREATE', stream, GROUP, '0', 'MKSTREAM');
    await fixture.redis('XADD', stream, '5-1', ...recordOf('1', 'earlier, and pending'));
    await fixture.redis('XADD', stream, '7-1', ...recordOf('2', 'later, and pending'));
    await fixture.redis('XREADGROUP', 'GROUP', GROUP, 'c', 'STREAMS', stream, '>');
    await bury(stream, { fields: recordOf('1', 'one'), sourceId: '6-1' });
    await bury(stream, { fields: recordOf('2', 'two'), sourceId: '6-2' });

    const { output } = await redrive({ stream });

    expect(output.entries.map(({ sourceId, superseded }) => [sourceId, superseded])).toEqual([
      ['6-1', false],
      ['6-2', true],
    ]);
  });

  it('a letter stays when a later entry of its key was processed, even if the stream was trimmed', async () => {
    const stream = fixture.key();
    await bury(stream, { fields: recordOf('1', 'old'), sourceId: '6-1' });
    await bury(stream, { fields: recordOf('2', 'alone'), sourceId: '6-2' });
    await fixture.redis('HSET', supersededKeyOf(stream), noteOf('1'), '10-0', noteOf('2'), '0-0');

    const { output } = await redrive({ stream });

    expect(output).toMatchObject({ redriven: 1, superseded: 1, remaining: 1 });
    expect(await recordsOf(stream)).toEqual(['alone']);
  });

  it('a redrive compares ids as 64-bit numbers', async () => {
    const stream = fixture.key();
    await bury(stream, { fields: recordOf('1', 'new'), sourceId: '10-18446744073709551615' });
    await bury(stream, { fields: recordOf('2', 'old'), sourceId: '10-18446744073709551614' });
    await fixture.redis('HSET', supersededKeyOf(stream), noteOf('1'), '9-9', noteOf('2'), '10-18446744073709551615');

    const { output } = await redrive({ stream });

    expect(output.entries.map(({ superseded }) => superseded)).toEqual([false, true]);
  });

  it('force puts a superseded letter back', async () => {
    const stream = fixture.key();
    await bury(stream, { fields: recordOf('1', 'old') });
    await fixture.redis('XADD', stream, '*', ...recordOf('1', 'new'));

    const { output } = await redrive({ stream, force: true });

    expect(output).toMatchObject({ redriven: 1, superseded: 0, remaining: 0 });
    expect(await recordsOf(stream)).toEqual(['new', 'old']);
  });

  it('letters of one key are put back in order, within one call and across several', async () => {
    const stream = fixture.key();
    for (const version of ['1', '2', '3', '4']) {
      await bury(stream, { fields: recordOf('1', version), sourceId: `${version}-0` });
    }

    const calls = [await redrive({ stream, count: 2 }), await redrive({ stream, count: 1 }), await redrive({ stream })];

    expect(calls.map(({ output }) => [output.redriven, output.superseded])).toEqual([
      [2, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(await recordsOf(stream)).toEqual(['1', '2', '3', '4']);
    expect(await fixture.redis('EXISTS', supersededKeyOf(stream))).toBe(0);
  });

  it("a superseded letter is found by the consumer's ordering key: a field, or the whole shard", async () => {
    const [byField, whole] = [fixture.key(), fixture.key()];
    for (const [stream, keyFields] of [
      [byField, '["orderId"]'],
      [whole, '[]'],
    ] as const) {
      await fixture.redis('HSET', supersededKeyOf(stream), 'keyFields', keyFields);
      await bury(stream, { fields: ['orderId', '7', 'v', 'old'] });
      await fixture.redis('XADD', stream, '*', 'orderId', '8', 'v', 'new');
    }

    expect((await redrive({ stream: byField })).output).toMatchObject({ redriven: 1, superseded: 0 });
    expect((await redrive({ stream: whole })).output).toMatchObject({ redriven: 0, superseded: 1 });
  });

  it('a redrive gets through a long backlog and many superseded letters', async () => {
    const stream = fixture.key();
    const late = Array.from({ length: 3000 }, (_, index) =>
      fixture.redis('XADD', stream, '*', ...recordOf(`k${index}`, 'x')),
    );
    await Promise.all(late);
    const letters = Array.from({ length: 3000 }, (_, index) => bury(stream, { fields: recordOf(`k${index}`, 'old') }));
    await Promise.all(letters);
    await bury(stream, { fields: recordOf('free', 'free') });

    const { output } = await redrive({ stream, count: 1 });

    expect(output).toMatchObject({ redriven: 1, superseded: 3000, remaining: 3000 });
    expect(output.entries.length).toBeLessThanOrEqual(1001);
  });
});
