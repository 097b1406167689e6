import type { Watermark } from './watermarks.ts';

/** Keys first, then their ids: nothing that follows can be taken for an option. */
export function streamArgs(watermarks: readonly Watermark[]): string[] {
  return ['STREAMS', ...watermarks.map(({ key }) => key), ...watermarks.map(({ id }) => id)];
}
