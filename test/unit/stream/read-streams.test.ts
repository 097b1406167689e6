import { describe, expect, it } from '@jest/globals';
import { Deadline } from '../../../lib/core/deadline.ts';
import type { Command, Redis } from '../../../lib/redis/redis.ts';
import { xreadCommand } from '../../../lib/stream/commands/xread.ts';
import { heldBlock, readStreams } from '../../../lib/stream/read-streams.ts';

/** A Redis that has a slot a key, and answers each command by what `answer` makes of its words. */
function fakeCluster(answer: (words: string) => unknown): Redis & { sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    slotOf: (key) => key.charCodeAt(0),
    async send<T>(command: Command<T>) {
      const words = command.args.join(' ');
      sent.push(words);
      return command.decode(answer(words) as never);
    },
  };
}

const options = (block?: number) => ({
  block,
  deadline: Deadline.after(5000),
  command: (watermarks: Parameters<typeof xreadCommand>[0]['watermarks'], blockMs?: number) =>
    xreadCommand({ watermarks, blockMs }),
});
const watermarks = ['a', 'b'].map((key) => ({ key, id: '$' }));
const entry = [['7-0', ['f', 'v']]];

describe('a read of streams', () => {
  it('of one slot is one command, which blocks in Redis', async () => {
    const redis = fakeCluster(() => null);

    await readStreams(redis, [watermarks[0]!], options(100));

    expect(redis.sent).toEqual(['XREAD BLOCK 100 STREAMS a $']);
  });

  it('of several slots asks each, and puts their answers in the order asked for', async () => {
    const redis = fakeCluster((words) => [[words.split(' ')[2], entry]]);

    const streams = await readStreams(redis, [{ key: 'b', id: '0' }, ...watermarks.slice(0, 1)], options());

    expect(redis.sent).toEqual(['XREAD STREAMS b 0', 'XREAD STREAMS a $']);
    expect(Object.keys(streams)).toEqual(['b', 'a']);
  });

  it('of several slots that blocks asks again from where the streams ended, until one has entries', async () => {
    let round = 0;
    const redis = fakeCluster((words) => {
      if (words.startsWith('XREVRANGE')) return words.includes(' a ') ? [['5-0', ['f', 'v']]] : [];
      return words.endsWith('b 0-0') && ++round === 3 ? [['b', entry]] : null;
    });

    const streams = await readStreams(redis, watermarks, options(1000));

    expect({ ...streams }).toEqual({ b: [{ id: '7-0', entry: { f: 'v' } }] });
    expect(redis.sent.slice(0, 4)).toEqual([
      'XREVRANGE a + - COUNT 1',
      'XREVRANGE b + - COUNT 1',
      'XREAD STREAMS a 5-0',
      'XREAD STREAMS b 0-0',
    ]);
    expect(redis.sent).toHaveLength(2 + 3 * 2);
  });
});

describe('block', () => {
  it.each([
    [1, 5000, 1],
    [1000, 5000, 1000],
    [60_000, 5000, 4700],
    [0, 5000, 4700],
    [0, 100, 50],
    [0, 0, 1],
  ])('of %i ms with %i ms left is at most %i', (block, left, held) => {
    const actual = heldBlock(block, Deadline.after(left));

    expect(actual).toBeLessThanOrEqual(held);
    expect(actual).toBeGreaterThanOrEqual(Math.max(1, held - 20));
  });
});
