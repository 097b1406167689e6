import type { Operation } from './openapi.ts';

/** The operations that have every word of a query, those whose names have them first. */
export function search(operations: readonly Operation[], query: string): readonly Operation[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = operations.map((operation) => {
    const ranks = words.map((word) => placesOf(operation).findIndex((text) => text.toLowerCase().includes(word)));
    return { operation, isFound: !ranks.includes(-1), rank: ranks.reduce((sum, rank) => sum + rank, 0) };
  });
  return ranked
    .filter(({ isFound }) => isFound)
    .sort((a, b) => a.rank - b.rank)
    .map(({ operation }) => operation);
}

/** Where a word may be, the best place first. */
function placesOf({ id, summary, description, parameters }: Operation): string[] {
  const names = parameters.map(({ name }) => name).join(' ');
  return [id, names, summary, [description, ...parameters.map((parameter) => parameter.description)].join(' ')];
}
