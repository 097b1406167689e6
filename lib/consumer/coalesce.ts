/**
 * Work that is asked for any number of times, and done once when its moment comes.
 *
 * @param schedule calls back at that moment: `setImmediate`, `queueMicrotask`
 * @returns asks for it
 */
export function coalesce(schedule: (work: () => void) => unknown, work: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    schedule(() => {
      isDue = false;
      work();
    });
  };
}
