/* How the page writes numbers and times. */

export const number = (value: number): string => value.toLocaleString('en');

/** The number, and what it counts. */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;

export const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/** `16:04:11`, on the clock of this machine; of another day, with its date. */
export function clockTime(time: string | number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString('en-GB') : date.toLocaleString('en-GB');
}
