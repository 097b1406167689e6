import { MultiBar, Presets } from 'cli-progress';
import type { Lifetime } from '../stack/lifetime.ts';

const LINE_EVERY_MS = 1000;

/** Shows how many records were enqueued, and how many have arrived. */
export type ShowProgress = (enqueued: number, carried: number) => void;

/** Progress bars on a terminal; elsewhere one line per second. */
export function startProgress(total: number, lifetime: Lifetime): { show: ShowProgress; stop: () => void } {
  return process.stdout.isTTY ? showBars(total, lifetime) : showLines(total);
}

function showBars(total: number, lifetime: Lifetime) {
  const format = '{what} {bar} {percentage}%  {value} of {total}';
  const bars = new MultiBar(
    { format, stream: process.stdout, hideCursor: true, forceRedraw: true },
    Presets.shades_classic,
  );
  const enqueuedBar = bars.create(total, 0, { what: 'onto the stream' });
  const carriedBar = bars.create(total, 0, { what: 'into the MDM   ' });
  let isStopped = false;
  const stop = () => {
    if (!isStopped) bars.stop();
    isStopped = true;
  };
  lifetime.onClose(stop); // restores the cursor
  const show = (enqueued: number, carried: number) => {
    enqueuedBar.update(enqueued);
    carriedBar.update(carried);
  };
  return { show, stop };
}

function showLines(total: number) {
  let shownAt = 0;
  const show = (enqueued: number, carried: number) => {
    const now = performance.now();
    if (now - shownAt < LINE_EVERY_MS && carried < total) return;
    shownAt = now;
    console.log(`${enqueued} of ${total} onto the stream, ${carried} into the MDM`);
  };
  return { show, stop: () => {} };
}
