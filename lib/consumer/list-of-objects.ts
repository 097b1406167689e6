/**
 * An empty list on a hot path. V8 takes `[]` for a list of small integers until something else is in it, and throws
 * away what it compiled for lists of objects when the next run begins with such a one.
 */
export function listOfObjects<Element extends object>(): Element[] {
  const list: object[] = [{}];
  list.pop();
  return list as Element[];
}
