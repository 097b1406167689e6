import type { Operation } from '#lib/contract/operation.ts';
import type { GeneratedFile } from './generated-file.ts';
import { pageWith, tableOf } from './tables.ts';

/** The page of errors with its table of the calls that may be repeated made anew. */
export function errorsPage(registry: readonly Operation[]): Promise<GeneratedFile> {
  const rows = registry
    .filter(({ readOnly }) => !readOnly)
    .map((operation) => [`\`${operation.name}\``, repeatOf(operation)]);
  const reads = ['every operation that only reads', 'yes'];
  return pageWith('docs/errors.md', { repeat: tableOf(['operation', 'may be repeated'], [reads, ...rows]) });
}

function repeatOf({ idempotent }: Operation): string {
  if (typeof idempotent === 'boolean') return idempotent ? 'yes' : 'no';
  const name = `\`${idempotent.with}\``;
  const values = idempotent.of?.map((value) => `\`${value}\``).join(', ');
  return values ? `if ${name} is ${values}` : `with ${name}`;
}
