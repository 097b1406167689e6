/** A line of a plot. */
export interface Panel {
  title: string;
  points: readonly (readonly [x: number, y: number])[];
  /** Largest value of the axis. */
  max: number;
  /** Marks of the axis, and how to write them. */
  marks: readonly number[];
  format?: (value: number) => string;
}

/** What the panels have in common. */
export interface Across {
  /** Where x ends; it begins at 0. */
  end: number;
  marks: readonly (readonly [x: number, label: string])[];
  /** Stretches to shade, and which colour each has. */
  shaded: readonly { from: number; to: number; colour: keyof typeof COLOURS }[];
  caption?: string;
}

const COLOURS = { red: '#f85149', yellow: '#d29922' };
const [WIDTH, HEIGHT, LEFT, TOP, GAP] = [860, 140, 70, 40, 48];

/** Draws panels one below the other, as SVG that reads on light and dark ground. */
export function drawPanels(panels: readonly Panel[], { end, marks: times, shaded, caption = '' }: Across): string {
  const x = (value: number) => (LEFT + (value / end) * WIDTH).toFixed(1);
  const width = (from: number, to: number) => Math.max(2, ((to - from) / end) * WIDTH).toFixed(1);
  const body = panels.flatMap(({ title, points, max, marks, format = String }, at) => {
    const top = TOP + at * (HEIGHT + GAP);
    const y = (value: number) => (top + HEIGHT - (Math.min(value, max) / max) * HEIGHT).toFixed(1);
    return [
      `<text x="${LEFT}" y="${top - 8}" class="title">${title}</text>`,
      ...shaded.map(
        ({ from, to, colour }) =>
          `<rect x="${x(from)}" y="${top}" width="${width(from, to)}" height="${HEIGHT}" fill="${COLOURS[colour]}" fill-opacity=".2"/>`,
      ),
      ...marks.map(
        (mark) =>
          `<path d="M${LEFT} ${y(mark)}h${WIDTH}" class="grid"/><text x="${LEFT - 6}" y="${+y(mark) + 4}" class="mark right">${format(mark)}</text>`,
      ),
      ...times.map(
        ([time, label]) => `<text x="${x(time)}" y="${top + HEIGHT + 16}" class="mark middle">${label}</text>`,
      ),
      `<path d="${points.map(([time, value], n) => `${n === 0 ? 'M' : 'L'}${x(time)} ${y(value)}`).join('')}" class="line"/>`,
    ];
  });
  const height = TOP + panels.length * (HEIGHT + GAP);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 20} ${height}" font-family="sans-serif" font-size="12">
<style>.title{font-size:14px;fill:#57606a}.mark{fill:#6e7781}.right{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#8c959f;stroke-opacity:.3;fill:none}.line{stroke:#2f81f7;stroke-width:1.5;fill:none}</style>
<text x="${LEFT}" y="14" class="mark">${caption}</text>
${body.join('\n')}
</svg>
`;
}
