import { describe, expect, it } from '@jest/globals';
import { Deadline } from '#lib/core/deadline.ts';
import type { Command, Redis } from '#lib/redis/redis.ts';
import { Output } from '#lib/invocation/output.ts';
import { readStreams, type StreamsRead } from '#lib/stream/read-streams.ts';
import { heldTime } from '#lib/stream/wait.ts';

/** A Redis that has a slot a key, and replies to each command by what `reply` makes of its words. */
function fakeCluster(reply: (words: string) => unknown): Redis & { sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    slotOf: (key) => key.charCodeAt(0),
    async send<T>(command: Command<T>) {
      const words = command.args.join(' ').replace(/^EVAL_RO [\s\S]* 1 /, 'LASTID ');
      sent.push(words);
      return command.decode(reply(words) as never);
    },
  };
}

const watermarks = ['a', 'b'].map((key) => ({ key, id: '$' }));
const read = (from: typeof watermarks, block?: number) => ({
  watermarks: from,
  block,
  deadline: Deadline.after(5000),
  output: new Output('json'),
});
const valueOf = async (redis: Redis, parameters: StreamsRead) =>
  ((await readStreams(redis, parameters)).content as { value: object }).value;
const entry = [['7-0', ['f', 'v']]];

describe('a read of streams', () => {
  it('a read of streams in one slot waits in Redis', async () => {
    const replies = [null, ['woken'], [['a', entry]]];
    const redis = fakeCluster((words) => (words.startsWith('LASTID') ? '5-0' : replies.shift()));

    const streams = await valueOf(redis, read([watermarks[0]!], 100));

    expect({ ...streams }).toEqual({ a: [{ id: '7-0', entry: { f: 'v' } }] });
    expect(redis.sent.map((words) => words.replace(/BLOCK \d+/, 'BLOCK n'))).toEqual([
      'LASTID a',
      'XREAD COUNT 128 STREAMS a 5-0',
      'XREAD COUNT 1 BLOCK n STREAMS a 5-0',
      'XREAD COUNT 128 STREAMS a 5-0',
    ]);
  });

  it('a read of streams in several slots asks each one, and returns their entries in the order given', async () => {
    const redis = fakeCluster((words) => [[words.split(' ')[4], entry]]);

    const streams = await valueOf(redis, read([{ key: 'b', id: '0' }, watermarks[0]!]));

    expect(redis.sent).toEqual(['XREAD COUNT 128 STREAMS b 0', 'XREAD COUNT 128 STREAMS a $']);
    expect(Object.keys(streams)).toEqual(['b', 'a']);
  });

  it('a blocking read of several slots polls from where the streams ended until one has entries', async () => {
    let round = 0;
    const redis = fakeCluster((words) => {
      if (words.startsWith('LASTID')) return words.endsWith(' a') ? '5-0' : '0-0';
      return words.endsWith('b 0-0') && ++round === 3 ? [['b', entry]] : null;
    });

    const streams = await valueOf(redis, read(watermarks, 1000));

    expect({ ...streams }).toEqual({ b: [{ id: '7-0', entry: { f: 'v' } }] });
    expect(redis.sent.slice(0, 4)).toEqual([
      'LASTID a',
      'LASTID b',
      'XREAD COUNT 128 STREAMS a 5-0',
      'XREAD COUNT 128 STREAMS b 0-0',
    ]);
    expect(redis.sent).toHaveLength(2 + 3 * 2);
  });
});

it.each([
  [5000, 4700],
  [100, 50],
  [0, 0],
])('of %i ms left, a read may wait %i', (left, held) => {
  const actual = heldTime(Deadline.after(left));

  expect(actual).toBeLessThanOrEqual(held);
  expect(actual).toBeGreaterThanOrEqual(held - 20);
});
