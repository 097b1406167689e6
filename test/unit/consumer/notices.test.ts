import { beforeEach, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { openNotices } from '#lib/consumer/dead-letters/notices.ts';
import { Deadline } from '#lib/core/deadline.ts';
import type { Log } from '#lib/core/log.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { startTopic } from '#test/support/aws/topic.ts';
import { use } from '#test/support/jest/use.ts';

/** Counts of letters that the log says have no notice. */
const untold: number[] = [];
beforeEach(() => void (untold.length = 0));
const topic = await use(startTopic());
Object.assign(process.env, {
  CONNECTOR_SECRET_PREFIX: 'connectors/',
  CONNECTOR_DEAD_LETTER_TOPIC: topic.arn,
  AWS_ENDPOINT_URL_SNS: topic.url,
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
});

const LETTER = { stream: 'orders', id: '1-0', type: 'MDM:CLIENT_ERROR', reason: 'refused', attempts: 1 };
const redis = { send: () => Promise.resolve(true) } as unknown as Redis;
const log = {
  warn: (message: string, { count }: { count: number }) =>
    message === 'dead letters without a notice' && untold.push(count),
} as unknown as Log;

const noticesFor = (ms: number) => openNotices(redis, { stream: 'orders', group: 'g' }, Deadline.after(ms), log)!;

it('letters of the last second of a run get their notice', async () => {
  const before = topic.counts.length;
  const notices = noticesFor(900);
  for (let index = 0; index < 3; index++) notices.add(LETTER);
  await notices.end();

  expect(topic.counts.slice(before).reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(untold).toEqual([]);
});

it('letters that are too late for a notice are logged, each once', async () => {
  const before = topic.counts.length;
  const notices = noticesFor(0);
  for (let index = 0; index < 2; index++) {
    notices.add(LETTER);
    await setImmediate();
  }
  await notices.end();

  expect(topic.counts).toHaveLength(before);
  expect(untold).toEqual([1, 1]);
});
