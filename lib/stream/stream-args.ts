import type { Watermark } from './watermarks.ts';

/** All keys, then all ids, so that none can be read as an option. */
export function streamArgs(watermarks: readonly Watermark[]): string[] {
  return ['STREAMS', ...watermarks.map(({ key }) => key), ...watermarks.map(({ id }) => id)];
}
