let known = { ms: NaN, text: '' };

/**
 * A time as ISO 8601 in UTC, `2026-01-31T12:00:00.000Z`. Log lines and dead letters come many a millisecond, and the text
 * costs more than the rest of them: the last one is kept.
 *
 * @param ms milliseconds since 1970
 */
export function isoTime(ms: number): string {
  if (ms !== known.ms) known = { ms, text: new Date(ms).toISOString() };
  return known.text;
}
