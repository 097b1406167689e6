import { describe, expect, it } from '@jest/globals';
import { Deadline } from '#lib/core/deadline.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import type { Command, Redis } from '#lib/redis/redis.ts';
import { Output } from '#lib/invocation/output.ts';
import { autoclaim, claim } from '#lib/stream/claim.ts';
import { readGroup } from '#lib/stream/read-group.ts';

/* What becomes of a call whose later portion fails, or has no time: what the earlier ones gave is in its output. */

const MORE = ['more', '', '', '0'];
const entry = (id: string) => [id, ['a', id]];
const given = (id: string) => ({ id, entry: { a: id } });
const timeout = new ConnectorError('STREAM:COMMAND', 'Redis did not answer in time', { status: 504 });

/** A Redis that gives these replies, by turns, and then no more. */
function replying(...replies: unknown[]): Redis {
  return {
    slotOf: () => 0,
    async send<T>(command: Command<T>) {
      const reply = replies.shift();
      if (reply instanceof Error) throw reply;
      return command.decode(reply as never);
    },
  };
}

const place = (deadline = Deadline.after(5000)) => ({ output: new Output('json'), deadline });
const member = { key: 's', group: 'g', consumer: 'c', minIdleMs: 0 };

describe('a failed later portion', () => {
  const read = (redis: Redis, deadline?: Deadline) =>
    readGroup(redis, { group: 'g', consumer: 'c', watermarks: [{ key: 's', id: '>' }], ...place(deadline) });
  const portion = (id: string) => [[[[entry(id)], '0-0', '', '0']], '0', MORE];

  it('a group read whose second portion fails returns the first', async () => {
    const { content } = await read(replying(portion('1-0'), timeout));

    expect(content).toEqual({ value: { s: [given('1-0')] } });
  });

  it('a group read without time for a second portion returns the first', async () => {
    const { content } = await read(replying(portion('1-0'), portion('2-0')), Deadline.after(100));

    expect(content).toEqual({ value: { s: [given('1-0')] } });
  });

  it('a claim whose second portion fails returns the first', async () => {
    const ids = ['1-0', '2-0'];
    const redis = replying([[entry('1-0')], '1', MORE], timeout);

    expect(await claim(redis, { ...member, ids, force: false }, place())).toEqual([given('1-0')]);
  });

  it('an automatic claim whose second portion fails returns the first, and where to continue', async () => {
    const redis = replying(['5-0', [], ['1-0', '2-0'], '4', MORE], timeout);

    const claimed = await autoclaim(redis, { ...member, start: '0-0', count: 100 }, place());

    expect(claimed).toEqual({ next: '5-0', entries: [], deletedIds: ['1-0', '2-0'] });
  });
});

describe('a failed first portion', () => {
  it.each([[[timeout]], [[[[[[], '0-0', '', '0']], '0', MORE], timeout]]])(
    'a group read fails if a portion fails before any gave entries',
    async (replies) => {
      const watermarks = [{ key: 's', id: '>' }];

      await expect(
        readGroup(replying(...replies), { group: 'g', consumer: 'c', watermarks, ...place() }),
      ).rejects.toMatchObject({ status: 504 });
    },
  );

  it.each([[[timeout]], [[[[], '1', MORE], timeout]]])(
    'a claim fails if a portion fails before any gave entries',
    async (replies) => {
      const parameters = { ...member, ids: ['1-0', '2-0'], force: false };

      await expect(claim(replying(...replies), parameters, place())).rejects.toMatchObject({ status: 504 });
    },
  );
});
