import type Type from 'typebox';
import type { References as ReferencesSchema } from '../contract/parameters/stream-info.ts';
import type { EvictionOption } from '../contract/parameters/stream.ts';

export type References = Type.Static<typeof ReferencesSchema>;

/** Redis' words for what happens to group references. */
export const REFERENCE_WORDS: Record<References, string> = { keep: 'KEEPREF', delete: 'DELREF', acked: 'ACKED' };

/** The word for references, which servers before Redis 8.2 lack: `keep` is what they do without it. */
export const referenceArgs = (references: References = 'keep') =>
  references === 'keep' ? [] : [REFERENCE_WORDS[references]];

/** What a server must have for a trim with references other than `keep`. */
export const referenceNeeds = (command: string, references: References = 'keep') =>
  references === 'keep' ? undefined : { since: 'Redis 8.2', command, option: REFERENCE_WORDS[references] };

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
