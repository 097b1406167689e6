import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { letterWords } from '../../support/consumer/letter-words.ts';
import { RIGHTS } from '#lib/consumer/operator/rights.generated.ts';
import { deadLetterStreamOf, leaseKeyOf, stateKeyOf, supersededKeyOf } from '#lib/consumer/redis-keys.ts';
import type { ConnectorError } from '#lib/core/errors.ts';
import { startLambda, type Lambda } from '#sandbox/aws/lambda.ts';
import { startSecretsManager, type SecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { ConsumerFixture, failure, openRedis, recorder, refusal } from '../../support/consumer/consumer-fixture.ts';

/*
 * The users of docs/redis.md that are no stream command's. With their rights all goes well. Without any one of them a
 * call is a 502 that names it, or where it may go on, a line of the log does; and nothing is done by halves.
 */

/** Rights that a database number and a cluster need: see redis/acl.test.ts. */
const CONNECTION_RIGHTS = ['+ping', '+select', '+asking', '+cluster|slots'];
const page = readFileSync('docs/redis.md', 'utf8');
const wordsOf = (user: string) => new RegExp(`ACL SETUSER ${user} (.*)`).exec(page)![1]!.split(' ');
const rightsOf = (user: string) => wordsOf(user).filter((word) => word[0] === '+' && !CONNECTION_RIGHTS.includes(word));

const stream = 'source-submit:0';
const group = 'g';
const deadLetterStream = deadLetterStreamOf(stream, group);
const letter = { sourceId: '1-0', reason: 'r', errorType: 't', deliveries: 1, time: 0 };
const model = { businessEntity: 'c360.person', sourceSystem: 's' };

interface Outcome {
  error?: { type: string; status: number; message: string };
  /** What it wrote to the log. */
  logged: string;
}

let fixture: ConsumerFixture;
let secrets: SecretsManager;
let lambda: Lambda;
beforeAll(async () => {
  fixture = await ConsumerFixture.open();
  fixture.stream = stream;
  const secretOf = (user: string, bounds: object = {}) => ({
    redis: { url: fixture.server.url.replace('//', `//${user}:password@`) },
    ingest: { stream: 'source-submit', shards: 1, group, ...bounds },
  });
  const users = ['consumer', 'watcher', 'producer', 'own'].map((user) => [`test/${user}`, secretOf(user)] as const);
  secrets = await startSecretsManager({
    ...Object.fromEntries(users),
    'test/bounded': secretOf('producer', { maxLag: 1_000_000 }),
    'test/own-bounded': secretOf('own', { maxLag: 1_000_000 }),
  });
  lambda = await startLambda({
    env: {
      CONNECTOR_SECRET_PREFIX: 'test/',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      CONNECTOR_CONSUMER_FUNCTION: 'consumer',
      AWS_ENDPOINT_URL_LAMBDA: 'http://127.0.0.1:1', // it is not there
    },
  });
});
afterAll(() => Promise.all([lambda.stop(), secrets.close(), fixture.close()]));

/** An operation over HTTP, as this user. */
const post = (route: string, configRef: string, parameters: object) => async (): Promise<Outcome> => {
  const from = lambda.log.length;
  const response = await lambda.post(route, { configRef, ...parameters });
  const logged = lambda.log.slice(from).join('\n');
  const { type, status, detail } = response.json as { type: string; status: number; detail: string };
  return response.status < 300 ? { logged } : { logged, error: { type, status, message: detail } };
};

/** A run over entries of all fates. */
async function consume(): Promise<Outcome> {
  const redis = openRedis(fixture.server.port, 2000, 'consumer:password@');
  const target = recorder((name) => {
    if (name.startsWith('refused')) throw refusal();
    if (name.startsWith('failing')) throw failure();
  });
  const from = fixture.logged.length;
  const settings = { redis, trim: true, backoffMs: 1, maxDeliveries: 2, budgetMs: 3000, ratePerSecond: 1000 };
  const error = await fixture.run(target, settings).then(
    () => undefined,
    (failed: ConnectorError) => failed,
  );
  redis.end();
  return { error, logged: fixture.logged.slice(from).join('\n') };
}

const source = { ...model, sourcePKey: '1', record: {} };
const batch = { ...model, records: ['2', '3'].map((sourcePKey) => ({ sourcePKey, record: {} })) };
const OPERATIONS: [user: string, calls: (() => Promise<Outcome>)[]][] = [
  ['consumer', [consume, post('/stream/redrive', 'consumer', { stream, group })]],
  ['watcher', [post('/stream/status', 'watcher', { stream: 'source-submit', shards: 1, group })]],
  [
    'producer',
    [
      post('/mdm/source-enqueue', 'producer', source),
      post('/mdm/source-enqueue', 'producer', { ...source, idempotencyKey: 'once' }),
      post('/mdm/source-enqueue-batch', 'producer', batch),
      post('/mdm/source-enqueue', 'bounded', source),
    ],
  ],
];

/** Entries that a killed run left, new ones, letters, and notes to tidy. No script is known to the server. */
async function prepare(): Promise<void> {
  await fixture.send('SCRIPT', 'FLUSH');
  await fixture.send('DEL', ...(await fixture.send<string[]>('KEYS', '*source-submit:0*')), 'none');
  const [crashed] = await fixture.add('crashed=1', 'failing=1', 'refused=1', 'refused=2', 'good=\ufffd');
  await fixture.send('XGROUP', 'CREATE', stream, group, '0');
  await fixture.send('XREADGROUP', 'GROUP', group, 'c', 'COUNT', '1', 'STREAMS', stream, '>');
  await fixture.send('XCLAIM', stream, group, 'c', '0', crashed!, 'RETRYCOUNT', '9', 'JUSTID', 'IDLE', '999999');
  await fixture.send('HSET', stateKeyOf(stream, group), 'alone', crashed!);
  for (const k of ['x', 'y']) {
    await fixture.send('XADD', deadLetterStream, '*', 'k', k, ...letterWords({ stream, group }, letter));
  }
  const notes = ['keyFields', '["k"]', 'streams', JSON.stringify([deadLetterStream])];
  for (let index = 1; index < 60; index++) notes.push(`r:${index}-1`, '1-1');
  await fixture.send('HSET', supersededKeyOf(stream, group), ...notes);
}

/** Letters by the entry that they are of, and what is left of a lease. */
async function stateOf() {
  const lengths = [stream, deadLetterStream].map((key) => fixture.send('XLEN', key));
  const [entries, letters] = (await Promise.all(lengths)).map(Number) as [number, number];
  const sources = (await fixture.deadLetters()).map((each) => each['dl-source-id']).filter((id) => id !== '1-0');
  const fences = await fixture.send<string[]>('KEYS', '*fence*');
  const ends = await Promise.all(fences.map((key) => fixture.send('PTTL', key)));
  return {
    size: entries + letters,
    repeatedLetters: sources.length - new Set(sources).size,
    hasLease: (await fixture.send('EXISTS', leaseKeyOf(stream, group))) === '1',
    endlessFences: ends.filter((ms) => Number(ms) < 0).length,
  };
}

describe.each(OPERATIONS)('the documented Redis user %s', (user, calls) => {
  const grant = (rights: readonly string[]) =>
    fixture.send(
      'ACL',
      'SETUSER',
      user,
      ...wordsOf(user).filter((word) => word[0] !== '+'),
      ...CONNECTION_RIGHTS,
      ...rights,
    );

  it('the documented Redis user has the rights that it needs', async () => {
    await grant(rightsOf(user));
    for (const call of calls) {
      await prepare();

      const { error, logged } = await call();

      expect(error).toBeUndefined();
      expect(logged).not.toMatch(/permission/);
    }
  });

  it.each(rightsOf(user))(
    'a Redis user that lacks %s gets an error naming that right',
    async (right) => {
      await grant(rightsOf(user).filter((other) => other !== right));
      let isNamed = false;
      for (const call of calls) {
        await prepare();
        const { size } = await stateOf();

        const { error, logged } = await call();

        isNamed ||= (error?.message ?? logged).includes(right.slice(1)) && /permission/.test(error?.message ?? logged);
        if (error) {
          expect(error).toMatchObject({ type: 'STREAM:COMMAND', status: 502 });
          expect(error.message).toContain(right.slice(1));
          expect(error.message).not.toMatch(/user_script|[0-9a-f]{40}/);
        }
        const after = await stateOf();
        expect(after).toMatchObject({ repeatedLetters: 0, hasLease: false, endlessFences: 0 });
        if (error && call !== consume) expect(after.size).toBe(size);
      }
      expect(isNamed).toBe(true);
    },
    20_000,
  );
});

it.each<[operation: string, calls: (() => Promise<Outcome>)[]]>([
  [
    'mdm-source-enqueue',
    [
      post('/mdm/source-enqueue', 'own', { ...source, idempotencyKey: 'own' }),
      post('/mdm/source-enqueue', 'own-bounded', source),
    ],
  ],
  [
    'mdm-source-enqueue-batch',
    [
      post('/mdm/source-enqueue-batch', 'own', { ...batch, idempotencyKey: 'own batch' }),
      post('/mdm/source-enqueue-batch', 'own-bounded', batch),
    ],
  ],
  [
    'stream-pause',
    [post('/stream/pause', 'own', { group, forMs: 1000 }), post('/stream/pause', 'own', { group, resume: true })],
  ],
  ['stream-status', [post('/stream/status', 'own', {})]],
  ['stream-entry-status', [post('/stream/entry-status', 'own', { ids: ['1-0'] })]],
  ['stream-redrive', [post('/stream/redrive', 'own', { stream, group, olderThanMs: 1 })]],
])('%s needs no more than its own rights', async (operation, calls) => {
  const rights = RIGHTS[operation]!.split(' ').map((right) => `+${right}`);
  await fixture.send('ACL', 'SETUSER', 'own', 'reset', 'on', '>password', '~*', ...CONNECTION_RIGHTS, ...rights);
  for (const call of calls) {
    await prepare();

    const { error, logged } = await call();

    expect(error).toBeUndefined();
    expect(logged).not.toMatch(/permission/);
  }
});

it('a run whose user may not write to the dead-letter stream that the secret names says so', async () => {
  await fixture.send('ACL', 'SETUSER', 'keyed', 'on', '>password', '+@all', '~source-submit:*', '~{source-submit*');
  const redis = { url: fixture.server.url.replace('//', '//keyed:password@') };
  const ingest = { stream: 'source-submit', shards: 1, group, consumer: { deadLetterStream: 'letters' } };
  const mdm = { auth: { type: 'session', sessionId: 's' }, baseUrl: 'http://127.0.0.1:1' };
  secrets.set('test/keyed', { redis, ingest, mdm });
  await prepare();
  const before = await fixture.send<unknown[]>('XPENDING', stream, group);

  const run = lambda.invoke('stream-consumer', { configRef: 'keyed' });

  await expect(run).rejects.toMatchObject({ errorMessage: expect.stringMatching(/: it lacks the key letters$/) });
  expect(await fixture.send('XPENDING', stream, group)).toEqual(before);
});
