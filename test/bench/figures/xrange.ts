import { httpEvent } from '#sandbox/aws/http-event.ts';
import { baselineOf } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { interleave, median } from '../rounds.ts';
import { fillBytes, removeStreams } from '../streams.ts';

const [ENTRIES, BYTES] = [33_000, 100];
/** Calls of each by turns in a process: a garbage collection is as long as a fifth of one, and meets every second. */
const TURNS = 30;

/**
 * XRANGE of a stream that is 5 MB as JSON, over the bare client and JSON.stringify. Over HTTP the function makes the
 * text itself; of a direct invocation Lambda does, which counts.
 */
export const xrange: Figure = {
  name: 'xrange',
  ids: ['xrange-http', 'xrange-direct'],
  most: 4,
  async measure(bench) {
    const key = await fillBytes(bench.redis, ENTRIES, BYTES);
    const event = { key, start: '-', end: '+' };
    const handler = bench.bundleOf('stream-xrange');
    const variants = [
      { handler: baselineOf('bare-xrange'), event },
      { handler, event: httpEvent('POST', '/stream/xrange', JSON.stringify(event)) },
      { handler, event, isSerialized: true },
    ];
    const ratios: number[][] = [[], []];
    await interleave(bench.rounds, {
      async all() {
        const micros = await bench.run<number[][]>('alternate.cjs', { variants, turns: TURNS, warmUp: 5 });
        const [bare, http, direct] = micros.map(median);
        ratios[0]!.push(http! / bare!);
        ratios[1]!.push(direct! / bare!);
        return bare!;
      },
    });
    await removeStreams(bench.redis, key);
    return [
      { id: 'xrange-http', values: ratios[0]! },
      { id: 'xrange-direct', values: ratios[1]! },
    ];
  },
};
