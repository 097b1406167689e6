import { drawPanels } from '#test/support/panels.ts';
import type { Outage, Sample } from './record.ts';

const PANELS: Record<string, (sample: Sample) => number> = {
  'p99 of calls that succeeded, ms': ({ p99 }) => p99,
  "Memory of the functions' process, MB": ({ memoryMb }) => memoryMb,
  'Calls that succeeded, each 5 s': ({ calls }) => calls,
};

/** Draws p99, memory and throughput over the minutes of a run as SVG; outages are shaded. */
export function plotLoad(samples: readonly Sample[], outages: readonly Outage[], caption: string): string {
  const end = samples.at(-1)!.minute;
  const minutes = Array.from({ length: Math.floor(end) + 1 }, (_, minute) => [minute, `${minute} min`] as const);
  const panels = Object.entries(PANELS).map(([title, value]) => {
    const points = samples.map((sample) => [sample.minute, value(sample)] as const);
    const known = points.filter(([, y]) => Number.isFinite(y));
    const max = niceMax(Math.max(...known.map(([, y]) => y)));
    return { title, points: known, max, marks: [0, max / 2, max] };
  });
  const shaded = outages.map(({ what, from, to }) => {
    return { from, to, colour: what === 'Redis' ? ('red' as const) : ('yellow' as const) };
  });
  const whole = `${caption}; red: Redis is killed, yellow: the MDM is`;
  return drawPanels(panels, { end, marks: minutes, shaded, caption: whole });
}

/** 1, 2 or 5 times a power of ten, at least the value. */
function niceMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((max) => max >= value)!;
}
