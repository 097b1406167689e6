import type { Exchange, Recording } from '#sandbox/mdm/recording/recording.ts';
import { isMembers, memberName, sameKind, type Shape } from '#sandbox/mdm/recording/shape.ts';

/** Something that a recording says of its tenant, and what each dialect of the sandbox says of itself. */
export interface Statement {
  /** `search.status`, `search.body.searchResult.hits`. */
  readonly id: string;
  readonly tenant: string;
  readonly dialects: Readonly<Record<string, string>>;
}

const NOTHING = 'none';

/** Compares a tenant with the dialects, statement by statement. Steps that the tenant's recording lacks say nothing. */
export function compare(tenant: Recording, dialects: Readonly<Record<string, Recording>>): Statement[] {
  return Object.entries(tenant).flatMap(([step, exchanges]) => {
    const statements = statementsOf(step, exchanges);
    const others = Object.entries(dialects).map(
      ([name, recording]) => [name, statementsOf(step, recording[step] ?? [])] as const,
    );
    const ids = new Set([...statements.keys(), ...others.flatMap(([, statements]) => [...statements.keys()])]);
    return [...ids].flatMap((id) => {
      if (isUntold(id, statements)) return [];
      const said = others.map(([name, statements]) => [name, statements.get(id) ?? NOTHING]);
      return [
        { id, tenant: statements.get(id) ?? NOTHING, dialects: Object.fromEntries(said) as Record<string, string> },
      ];
    });
  });
}

/** Whether a tenant's answer is that of a dialect. Texts of any form are alike. */
export const isAlike = (one: string, other: string): boolean => one === other || sameKind(one, other);

/** What exchanges say: how many there were, and of the last one status, headers and members. */
function statementsOf(step: string, exchanges: readonly Exchange[]): Map<string, string> {
  const statements = new Map<string, string>();
  const last = exchanges.at(-1);
  if (!last) return statements;
  const note = (what: string, value: string) => void statements.set(`${step}.${what}`, value);
  note('request', `${last.method} ${last.contentType ?? ''}`.trim());
  note('statuses', exchanges.map(({ status }) => status).join(', '));
  for (const [name, value] of Object.entries(last.headers)) note(`header.${name}`, value);
  noteShape('body', last.body, note);
  return statements;
}

function noteShape(path: string, shape: Shape | undefined, note: (what: string, value: string) => void): void {
  if (shape === undefined) return note(path, NOTHING);
  if (Array.isArray(shape)) {
    note(path, 'list');
    const [item] = shape as readonly Shape[];
    return item === undefined ? undefined : noteShape(`${path}[]`, item, note);
  }
  if (!isMembers(shape)) return note(path, shape as string);
  note(path, 'object');
  for (const [name, member] of Object.entries(shape)) noteShape(`${path}.${memberName(name)}`, member, note);
}

/** Items of a list that is empty, or members of an object that is absent: the absence is said once. */
function isUntold(id: string, own: ReadonlyMap<string, string>): boolean {
  if (own.has(id)) return false;
  const parent = id.endsWith('[]') ? id.slice(0, -2) : id.slice(0, id.lastIndexOf('.'));
  const isBody = /\.body(\.|\[|$)/.test(id);
  return isBody && !id.endsWith('.body') && own.get(parent) !== 'object';
}
