import type { Result } from './results.ts';

/** A run of the bench, as it is kept. */
export interface Report {
  date: string;
  machine: { cpu: string; cores: number };
  versions: { node: string; redisServer: string } & Record<string, string>;
  results: readonly Result[];
}

const ROW = 22;
const TOP = 54;
const LEFT = 500;
const WIDTH = 300;
/** The axis ends at this multiple of the target. */
const LONGEST = 1.5;
const MET = '#1a7f37';
const MISSED = '#d1242f';

/**
 * A bar a figure: how much of its target it uses up, so that shorter is better for all of them, whether the target is a
 * most or a least. The line is the target, the thin bar the noise.
 */
export function drawPlot({ date, machine, versions, results }: Report): string {
  const bottom = TOP + results.length * ROW;
  const line = LEFT + WIDTH / LONGEST;
  const lines = [
    text(12, 22, 'Measured against its target: shorter is better', 'font-weight="bold" font-size="14"'),
    text(
      12,
      40,
      `${date.slice(0, 10)}, ${machine.cores} × ${machine.cpu}, Node ${versions.node}, Redis ${versions.redisServer}`,
      'fill="#666"',
    ),
    ...results.flatMap((result, row) => drawRow(result, TOP + row * ROW)),
    `<line x1="${line}" y1="${TOP - 4}" x2="${line}" y2="${bottom}" stroke="#333" stroke-dasharray="3 3"/>`,
    text(line, bottom + 16, 'target', 'text-anchor="middle" fill="#666"'),
  ];
  const size = `width="${LEFT + WIDTH + 90}" height="${bottom + 26}"`;
  const style = 'font-family="system-ui, sans-serif" font-size="12" fill="#222"';
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style}>\n<rect ${size} fill="#fff"/>`;
  return `${head}\n${lines.join('\n')}\n</svg>\n`;
}

function drawRow(result: Result, y: number): string[] {
  const { figure, against, value, meets } = result;
  const length = lengthOf(result, value);
  const [from, to] = result.spread.map((one) => LEFT + lengthOf(result, one));
  return [
    text(12, y + 13, figure, ''),
    text(LEFT - 10, y + 13, against ?? '', 'text-anchor="end" fill="#666" font-size="11"'),
    `<rect x="${LEFT}" y="${y + 2}" width="${length}" height="${ROW - 8}" fill="${meets ? MET : MISSED}"/>`,
    `<line x1="${from}" y1="${y + 8}" x2="${to}" y2="${y + 8}" stroke="#222"/>`,
    text(LEFT + WIDTH + 10, y + 13, `${result.bound === 'at most' ? '' : '↑ '}${value}`, ''),
  ];
}

/** Of a value: its share of the target, or where more is better, the target's share of it. */
function lengthOf({ bound, target }: Result, value: number): number {
  const share = bound === 'at most' ? value / target : target / value;
  return Math.round((Math.min(Math.max(share, 0), LONGEST) / LONGEST) * WIDTH);
}

function text(x: number, y: number, content: string, attributes: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" ${attributes}>${escaped}</text>`;
}
