type Headers = Readonly<Record<string, string>>;

/** Headers with lower-case names. Of repeated ones, in any case, the last counts. */
export function mergeHeaders(...sets: Headers[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const set of sets) for (const name in set) merged[name.toLowerCase()] = set[name]!;
  return merged;
}
