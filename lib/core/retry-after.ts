/** `Sun, 06 Nov 1994 08:49:37 GMT` and older forms, which begin with the name of a day. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*[ ,]/i;

/**
 * Milliseconds of a `Retry-After` header in seconds or as a date; undefined without one, or for another form.
 *
 * @example
 * retryAfterOf('1.5') // 1500
 */
export function retryAfterOf(value: string | null): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const at = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
