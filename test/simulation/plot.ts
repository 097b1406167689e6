/** A line of a plot: y over x. */
export interface Series {
  title: string;
  points: readonly (readonly [x: number, y: number])[];
}

export interface Panel extends Series {
  /** Largest value of the axis. */
  max: number;
  /** Marks of the axis, and how to write them. */
  marks: readonly number[];
  format: (value: number) => string;
}

const WIDTH = 860;
const HEIGHT = 150;
const LEFT = 70;
const TOP = 34;
const GAP = 46;

/**
 * Draws panels one below the other over the hours of a day, as SVG that reads on light and dark ground.
 *
 * @param shaded stretches of time to mark, in hours
 */
export function plotDay(panels: readonly Panel[], shaded: readonly (readonly [from: number, to: number])[]): string {
  const height = panels.length * (HEIGHT + GAP) + TOP;
  const x = (hour: number) => LEFT + (hour / 24) * WIDTH;
  const body = panels.map(({ title, points, max, marks, format }, at) => {
    const top = TOP + at * (HEIGHT + GAP);
    const y = (value: number) => top + HEIGHT - (Math.min(value, max) / max) * HEIGHT;
    const path = points.map(
      ([hour, value], index) => `${index === 0 ? 'M' : 'L'}${x(hour).toFixed(1)} ${y(value).toFixed(1)}`,
    );
    return [
      `<text x="${LEFT}" y="${top - 8}" class="title">${title}</text>`,
      ...shaded.map(([from, to]) => `<rect x="${x(from).toFixed(1)}" y="${top}" width="${(x(to) - x(from)).toFixed(1)}" height="${HEIGHT}" class="shade"/>`), // prettier-ignore
      ...marks.map((mark) => `<path d="M${LEFT} ${y(mark)}h${WIDTH}" class="grid"/><text x="${LEFT - 6}" y="${y(mark) + 4}" class="mark right">${format(mark)}</text>`), // prettier-ignore
      ...[0, 6, 12, 18, 24].map(
        (hour) => `<text x="${x(hour)}" y="${top + HEIGHT + 16}" class="mark middle">${hour}:00</text>`,
      ),
      `<path d="${path.join('')}" class="line"/>`,
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 20} ${height}" font-family="sans-serif" font-size="12">
<style>.title{font-size:14px;fill:#57606a}.mark{fill:#6e7781}.right{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#8c959f;stroke-opacity:.3;fill:none}.line{stroke:#2f81f7;stroke-width:1.5;fill:none}.shade{fill:#f85149;fill-opacity:.18}</style>
${body.join('\n')}
</svg>
`;
}
