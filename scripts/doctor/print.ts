import type { Check } from '#lib/contract/parameters/check.ts';
import { paint } from '#sandbox/stack/terminal.ts';

/** Checks of one subject. */
export interface Section {
  readonly title: string;
  readonly checks: readonly Check[];
}

const MARKS = {
  passed: ['green', '✓'],
  warning: ['yellow', '!'],
  failed: ['red', '✗'],
  skipped: ['gray', '–'],
} as const satisfies Record<Check['status'], readonly [string, string]>;

/** Prints sections as they come. Returns the exit code: 0, 1 if a check failed, or 2 if one warned. */
export async function print(sections: AsyncIterable<Section>): Promise<number> {
  const statuses = new Set<Check['status']>();
  for await (const { title, checks } of sections) {
    const width = Math.max(...checks.map(({ name }) => name.length));
    console.log(paint('bold', title));
    for (const check of checks) {
      statuses.add(check.status);
      console.log(lineOf(check, width));
    }
    console.log();
  }
  if (statuses.has('failed')) return 1;
  return statuses.has('warning') ? 2 : 0;
}

function lineOf({ name, status, ms, detail, hint }: Check, width: number): string {
  const [color, mark] = MARKS[status];
  const time = ms > 0 ? paint('gray', ` ${ms} ms`) : '';
  const cure = hint === undefined ? '' : `\n  ${' '.repeat(width)}   ${paint('cyan', `→ ${hint}`)}`;
  return `  ${paint(color, mark)} ${name.padEnd(width)} ${detail}${time}${cure}`;
}
