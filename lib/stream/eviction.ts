import type { EvictionOption } from '../contract/parameters/stream.ts';

/** The words of an eviction option in XADD and XTRIM. */
export function evictionArgs(option: EvictionOption | undefined): string[] {
  if (!option) return [];
  const { maxLength, id, exactTrimming = true, limit } = option;
  return [
    ...(maxLength === undefined ? ['MINID'] : ['MAXLEN']),
    exactTrimming ? '=' : '~',
    String(maxLength ?? id),
    ...(limit === undefined ? [] : ['LIMIT', String(limit)]),
  ];
}
