import { beforeEach, expect, it } from '@jest/globals';
import { letterWords } from '../../support/consumer/letter-words.ts';
import { deadLetterStreamOf, supersededKeyOf } from '#lib/consumer/redis-keys.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { callStream, WAYS } from '../../support/stream/call-stream.ts';
import { startContainer } from '../../support/aws/container.ts';
import { use } from '../../support/jest/use.ts';
import { startCountedRedis } from '../../support/redis/script-counter.ts';

/* Redis dies between two portions of a call: what the portions before gave is returned, and no more is gone. */

let streams = 0;
let key: string;
const redis = await use(startCountedRedis());
const secrets = await use(startSecretsManager({ 'test/default': { redis: { url: redis.url } } }));
const lambda = await use(startContainer(secrets));
beforeEach(() => {
  key = `interrupted:${++streams}`;
});

const command = (...words: string[]) => redis.server.command(...words);

/** A stream of 5,000 entries, and a group that has them all pending, or none. */
async function fill(isDelivered: boolean): Promise<void> {
  const script = `for at = 1, 5000 do redis.call('XADD', KEYS[1], at .. '-0', 'value', 'x') end
    redis.call('XGROUP', 'CREATE', KEYS[1], 'g', '0')`;
  await command('EVAL', script, '1', key);
  if (isDelivered) await command('XREADGROUP', 'GROUP', 'g', 'other', 'STREAMS', key, '>');
}

/** Calls on a server that dies instead of running the script after this many, and restarts it. */
async function callKilled(way: (typeof WAYS)[number], operation: string, parameters: object, scripts: number) {
  redis.killAfter(scripts);
  const outcome = await callStream(lambda, way, operation, parameters);
  redis.killAfter(Infinity);
  await redis.server.kill();
  await redis.server.start();
  return outcome;
}

const pendingOf = async (consumer: string) =>
  ((await command('XPENDING', key, 'g', '-', '+', '5000', consumer)) as [string][]).map(([id]) => id);

const claim = () => ({ key, group: 'g', consumer: 'c', minIdleMs: 0 });
const read = () => ({ group: 'g', consumer: 'c', streamWatermarks: [{ key, id: '>' }] });
const entriesOf = (output: unknown) => {
  const { entries, [key]: ofStream } = output as Record<string, unknown>;
  return (Array.isArray(output) ? output : (ofStream ?? entries)) as { id: string }[];
};
const CALLS: [name: string, operation: string, parameters: () => object, isDelivered: boolean][] = [
  ['xreadgroup', 'xreadgroup', read, false],
  ['xreadgroup with claimMinIdleMs', 'xreadgroup', () => ({ ...read(), claimMinIdleMs: 0 }), true],
  ['xclaim', 'xclaim', () => ({ ...claim(), ids: Array.from({ length: 5000 }, (_, at) => `${at + 1}-0`) }), true],
  ['xautoclaim', 'xautoclaim', () => ({ ...claim(), count: 5000 }), true],
];

it.each(CALLS.flatMap(([name, ...call]) => WAYS.map((way) => [name, way, ...call] as const)))(
  '%s by %s returns the entries it got before Redis died, and no others are delivered',
  async (_, way, operation, parameters, isDelivered) => {
    await fill(isDelivered);

    const { output, error } = await callKilled(way, operation, parameters(), 3);

    if (error && /needs Redis 8\.4/.test(error.message)) return;
    expect(error).toBeUndefined();
    const ids = entriesOf(output).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(700);
    expect(ids.length).toBeLessThan(1000);
    expect(ids).toEqual(await pendingOf('c'));
  },
);

it.each(CALLS)(
  '%s is a 503 if Redis dies before it returned anything, and nothing is delivered',
  async (_, ...call) => {
    const [operation, parameters, isDelivered] = call;
    await fill(isDelivered);

    const { status, error } = await callKilled('HTTP', operation, parameters(), 0);

    if (error && /needs Redis 8\.4/.test(error.message)) return;
    expect({ status, type: error?.type }).toEqual({ status: 503, type: 'STREAM:COMMAND' });
    expect(await pendingOf('c')).toEqual([]);
  },
);

it('stream-redrive reports the letters redriven before Redis died, and how many are left', async () => {
  const deadLetterStream = deadLetterStreamOf(key, 'g');
  const letter = { sourceId: '1-0', reason: 'r', errorType: 't', deliveries: 1, time: 0 };
  const words = ['k', '', ...letterWords({ stream: key, group: 'g' }, letter)];
  const script = `for at = 1, 400 do ARGV[2] = 'k' .. at redis.call('XADD', KEYS[1], '*', unpack(ARGV)) end`;
  await command('EVAL', script, '1', deadLetterStream, ...words);
  await command('HSET', supersededKeyOf(key, 'g'), 'keyFields', '["k"]');

  redis.killAfter(4); // letters twice, two moves
  const report = await lambda.invoke<{ redriven: number; remaining: number; entries: { redrivenAs: string }[] }>(
    'stream-redrive',
    { stream: key, group: 'g', count: 400 },
  );
  redis.killAfter(Infinity);
  await redis.server.start();

  expect(report).toMatchObject({ redriven: 200, remaining: 200 });
  const back = (await command('XRANGE', key, '-', '+')) as [string][];
  expect(report.entries.map(({ redrivenAs }) => redrivenAs)).toEqual(back.map(([id]) => id));
  expect(await command('XLEN', deadLetterStream)).toBe(200);
});
