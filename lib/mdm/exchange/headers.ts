type Headers = Readonly<Record<string, string>>;

/** Headers under lower-case names; of those that are given twice, in whatever case, the last. */
export function mergeHeaders(...sets: Headers[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const set of sets) for (const name in set) merged[name.toLowerCase()] = set[name]!;
  return merged;
}
