import { expect, test } from '@jest/globals';
import { entriesASecond, usdAMillion } from '#deploy/cost/consumer.ts';
import { functionEntries } from '#deploy/functions.ts';
import { readParameters } from '#deploy/read-parameters.ts';

const entriesWith = (...commandLine: string[]) =>
  functionEntries(readParameters({ service: 'mdm-stream', stage: 'prod', commandLine, blocks: {} }));

test('consumerMemory sets the memory of the consumer alone', () => {
  const { 'stream-consumer': consumer, 'stream-xadd': xadd } = entriesWith('consumerMemory=1769');
  expect([consumer!.memorySize, xadd!.memorySize]).toEqual([1769, undefined]);
  expect(entriesWith()['stream-consumer']!.memorySize).toBe(512);
});

test.each([
  ['511', 'must be at least 512'],
  ['3009', 'must be at most 3008'],
  ['1.5', 'must be an integer'],
  ['much', 'must be an integer'],
])('refuses %s as consumerMemory: it %s', (value, message) => {
  expect(() => entriesWith(`consumerMemory=${value}`)).toThrow(`consumerMemory ${message}`);
});

test('the estimated throughput follows the share of a core that the memory gives, unless latency limits it', () => {
  const run = { concurrency: 50, latencyMs: 10 };
  const [small, whole, large] = [512, 1769, 3008].map((memoryMb) => entriesASecond({ ...run, memoryMb }));
  expect(small! / whole!).toBeCloseTo(512 / 1769);
  expect(large).toBe(whole); // a run uses one core
  expect(entriesASecond({ concurrency: 50, latencyMs: 200, memoryMb: 512 })).toBe(250);
});

test('doubling the memory doubles the cost where latency limits', () => {
  const usd = (memoryMb: number) => usdAMillion({ concurrency: 10, latencyMs: 200, memoryMb });
  expect(usd(1024)).toBeCloseTo(2 * usd(512));
});
