import type { Figure } from '../figure.ts';
import { interleave } from '../rounds.ts';
import { fillBytes, removeStreams } from '../streams.ts';

/** Streams of a gigabyte: of a million entries, and of a thousand large ones. */
const SHAPES = [
  { entries: 1_000_000, bytes: 1_000 },
  { entries: 1_000, bytes: 1_000_000 },
];
const ROUNDS = 3;

interface Refused {
  peakKb: number;
  /** What the invocation failed with. */
  message: string;
}

/** Peak memory of a function whose XRANGE is refused because the response would be too large, in MB of 10⁶ bytes. */
export const memoryWall: Figure = {
  name: 'memory-wall',
  ids: ['memory-wall'],
  async measure(bench) {
    const handler = bench.bundleOf('stream-xrange');
    const rounds = bench.isQuick ? 1 : ROUNDS;
    const peaks: number[][] = [];
    for (const { entries, bytes } of SHAPES) {
      const key = await fillBytes(bench.redis, entries, bytes);
      const { peak } = await interleave(rounds, {
        async peak() {
          const event = { key, start: '-', end: '+' };
          const { peakKb, message } = await bench.run<Refused>('refused.cjs', { handler, event, times: 3 });
          if (!message.includes('6 MB')) throw new Error(`XRANGE was not refused for its size: ${message}`);
          return (peakKb * 1024) / 1e6;
        },
      });
      peaks.push(peak);
      await removeStreams(bench.redis, key);
    }
    return [{ id: 'memory-wall', values: peaks[0]!.map((peak, round) => Math.max(peak, peaks[1]![round]!)) }];
  },
};
