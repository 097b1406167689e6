import type { Outage } from './flatness.ts';
import type { Sample } from './record.ts';

const [WIDTH, HEIGHT, LEFT, TOP, GAP] = [860, 130, 70, 40, 50];

interface Panel {
  title: string;
  value: (sample: Sample) => number;
}

const PANELS: Panel[] = [
  { title: 'p99 of calls that succeeded, ms', value: ({ p99 }) => p99 },
  { title: "Memory of the functions' process, MB", value: ({ memoryMb }) => memoryMb },
  { title: 'Calls that succeeded, each 5 s', value: ({ calls }) => calls },
];

/** Draws p99, memory and throughput over the minutes of a run as SVG; outages are shaded. */
export function plotLoad(samples: readonly Sample[], outages: readonly Outage[], caption: string): string {
  const last = samples.at(-1)!.minute;
  const x = (minute: number) => LEFT + (minute / last) * WIDTH;
  const body = PANELS.map((panel, at) => drawPanel(panel, samples, outages, TOP + at * (HEIGHT + GAP), x));
  const bottom = TOP + PANELS.length * (HEIGHT + GAP);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 20} ${bottom}" font-family="sans-serif" font-size="12">
<style>.title{font-size:14px;fill:#57606a}.mark{fill:#6e7781}.right{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#8c959f;stroke-opacity:.3;fill:none}.line{stroke:#2f81f7;stroke-width:1.5;fill:none}.Redis{fill:#f85149;fill-opacity:.22}.MDM{fill:#d29922;fill-opacity:.25}</style>
<text x="${LEFT}" y="14" class="mark">${caption}; red: Redis is killed, yellow: the MDM is</text>
${body.join('\n')}
</svg>
`;
}

function drawPanel(
  { title, value }: Panel,
  samples: readonly Sample[],
  outages: readonly Outage[],
  top: number,
  x: (minute: number) => number,
): string {
  const values = samples.map(value).filter(Number.isFinite);
  const max = niceMax(Math.max(...values));
  const y = (of: number) => top + HEIGHT - (of / max) * HEIGHT;
  const points = samples.filter((sample) => Number.isFinite(value(sample)));
  const path = points.map((sample, at) => `${at === 0 ? 'M' : 'L'}${x(sample.minute).toFixed(1)} ${y(value(sample)).toFixed(1)}`); // prettier-ignore
  const minutes = Array.from({ length: Math.floor(samples.at(-1)!.minute) + 1 }, (_, minute) => minute);
  return [
    `<text x="${LEFT}" y="${top - 8}" class="title">${title}</text>`,
    ...outages.map(({ what, from, to }) => `<rect x="${x(from).toFixed(1)}" y="${top}" width="${Math.max(2, x(to) - x(from)).toFixed(1)}" height="${HEIGHT}" class="${what}"/>`), // prettier-ignore
    ...[0, max / 2, max].map((mark) => `<path d="M${LEFT} ${y(mark)}h${WIDTH}" class="grid"/><text x="${LEFT - 6}" y="${y(mark) + 4}" class="mark right">${mark}</text>`), // prettier-ignore
    ...minutes.map((minute) => `<text x="${x(minute)}" y="${top + HEIGHT + 16}" class="mark middle">${minute} min</text>`), // prettier-ignore
    `<path d="${path.join('')}" class="line"/>`,
  ].join('\n');
}

/** 1, 2 or 5 times a power of ten, at least the value. */
function niceMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((max) => max >= value)!;
}
