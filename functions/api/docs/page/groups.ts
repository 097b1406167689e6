import type { Document } from './document.ts';
import type { Operation } from './openapi.ts';

/** Operations of one tag. */
export interface OperationGroup {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** The operations by tag, in the order of the document's tags. */
export function groupByTag({ tags = [] }: Document, operations: readonly Operation[]): OperationGroup[] {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const known = new Map(tags.map(({ name, description = '' }) => [name, description]));
  for (const tag of byTag.keys()) if (!known.has(tag)) known.set(tag, '');
  return [...known]
    .map(([name, description]) => ({ name, description, operations: byTag.get(name) ?? [] }))
    .filter((group) => group.operations.length > 0);
}
