import { expect, it } from '@jest/globals';
import { operationError } from '#lib/client/error.ts';
import { readEntries } from '#lib/client/pages.ts';

const tooLarge = operationError('stream-xrange', {
  type: 'STREAM:COMMAND',
  title: '',
  status: 413,
  detail: 'too large',
  requestId: '',
  retryable: false,
  outcome: 'refused',
});

/** Reads a stream of so many entries, whose pages may have so many. Returns the counts that were asked for. */
async function read(length: number, most: number, count: number) {
  const counts: number[] = [];
  const entries = readEntries(
    async ({ start, count: asked }) => {
      const count = Number(asked);
      counts.push(count);
      if (counts.length > 10) throw new Error('It is read again and again');
      if (count > most) throw tooLarge;
      const from = start === '-' ? 0 : parseInt(start.slice(1));
      const ids = Array.from({ length: Math.min(count, length - from) }, (_, index) => `${from + index + 1}-0`);
      return Promise.resolve(Object.fromEntries(ids.map((id) => [id, {}])));
    },
    { key: 's', count },
  );
  const ids: string[] = [];
  let error: unknown;
  try {
    for await (const { id } of entries) ids.push(id);
  } catch (failure) {
    error = failure;
  }
  return { counts, ids, error };
}

it('entries reads a page that is too large in halves, and the next one twice as long', async () => {
  const { counts, ids, error } = await read(9, 4, 8);

  expect(counts).toEqual([8, 4, 8, 4, 8, 4]);
  expect(ids).toEqual(Array.from({ length: 9 }, (_, index) => `${index + 1}-0`));
  expect(error).toBeUndefined();
});

it('entries fails at an entry that alone is too large', async () => {
  expect(await read(9, 0, 4)).toEqual({ counts: [4, 2, 1], ids: [], error: tooLarge });
});
