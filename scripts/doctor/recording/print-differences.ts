import { paint } from '#sandbox/stack/terminal.ts';
import { sourceOf } from '../../generate/known-from.ts';
import { isAlike, type Statement } from './compare.ts';
import { isShownBy, KNOWN, SHOWN_BY, withoutStep } from './known.ts';

const and = (words: readonly string[]) => words.join(' and ');

/** The dialects that say the same as the tenant. */
const alikeOf = ({ tenant, dialects }: Statement): string[] =>
  Object.keys(dialects).filter((name) => isAlike(tenant, dialects[name] ?? ''));

const isUnknown = (one: Statement) => alikeOf(one).length === 0;
const isDiffering = (one: Statement) => alikeOf(one).length < Object.keys(one.dialects).length;

/**
 * Prints where a tenant differs from a dialect of the sandbox, by the statements of "Known from". Returns whether it
 * differs from each of them.
 */
export function printDifferences(statements: readonly Statement[]): boolean {
  const names = Object.keys(statements[0]?.dialects ?? {});
  const printed = new Set<Statement>();
  const untold: string[] = [];
  console.log(paint('bold', 'Known from'));
  for (const known of KNOWN) {
    const { id, says } = known;
    const patterns = SHOWN_BY[id] ?? [];
    const shown = statements.filter((one) => patterns.some((pattern) => isShownBy(one.id, pattern)));
    if (shown.length === 0) {
      untold.push(id);
      continue;
    }
    console.log(
      `  ${markOf(shown)} ${paint('bold', id)}  ${says} ${paint('gray', `(${sourceOf(known)}; ${verdict(shown, names)})`)}`,
    );
    const differing = shown.filter((one) => isDiffering(one) && !printed.has(one));
    for (const one of differing) printed.add(one);
    for (const line of linesOf(differing)) console.log(`      ${line}`);
  }
  console.log(`  ${paint('gray', '–')} not shown by this recording: ${untold.join(', ')}\n`);
  const beyond = statements.filter((one) => isDiffering(one) && !printed.has(one));
  if (beyond.length > 0) console.log(paint('bold', 'Beyond that'));
  for (const line of linesOf(beyond)) console.log(`  ${line}`);
  const counts = names.map((name) => `${statements.filter((one) => alikeOf(one).includes(name)).length} as in ${name}`);
  const unknown = statements.filter(isUnknown).length;
  console.log(`${statements.length} statements: ${counts.join(', ')}; ${unknown} as in no dialect`);
  return unknown > 0;
}

/** A line for each statement. What is the same of several steps is said once. */
function linesOf(statements: readonly Statement[]): string[] {
  const contentOf = ({ id, tenant, dialects }: Statement) => JSON.stringify([withoutStep(id), tenant, dialects]);
  return Object.values(Object.groupBy(statements, contentOf)).flatMap((group = []) => {
    const [one] = group;
    if (group.length <= 1 || !one) return group.map(lineOf);
    return [`${lineOf({ ...one, id: `*.${withoutStep(one.id)}` })} ${paint('gray', `in ${group.length} steps`)}`];
  });
}

function markOf(shown: readonly Statement[]): string {
  if (shown.some(isUnknown)) return paint('red', '✗');
  return shown.some(isDiffering) ? paint('yellow', '!') : paint('green', '✓');
}

function verdict(shown: readonly Statement[], names: readonly string[]): string {
  const alike = names.filter((name) => shown.every((one) => alikeOf(one).includes(name)));
  if (alike.length > 0) return `as in ${and(alike)}`;
  return shown.some(isUnknown) ? 'as in no dialect' : `as in ${and(names)}, each in part`;
}

function lineOf(one: Statement): string {
  const alike = alikeOf(one);
  const as = alike.length > 0 ? `as in ${and(alike)}` : 'as in no dialect';
  const others = Object.keys(one.dialects).filter((name) => !alike.includes(name));
  const said = others.map((name) => `${name}: ${one.dialects[name]}`).join(', ');
  return `${markOf([one])} ${one.id}  ${one.tenant} (${as}; ${said})`;
}
