import type { ConnectorError } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import { xinfoGroupsCommand } from '../../stream/commands/xinfo-groups.ts';
import { deadLetterStreamOf, supersededKeyOf } from '../redis-keys.ts';
import { SOURCE_RECORD_KEY_FIELDS } from '../entry.ts';
import type { Origin } from './letter.ts';

/*
 * While a group has dead letters, one hash notes later entries of their keys, so that no redrive overwrites a newer
 * value:
 *
 *   <hash of a key>  the latest entry of the key (`hashOfKey`) processed since its first letter; `0-0`: none
 *   r:<id>           the age of the entry <id>, a letter that went back: its first id
 *   keyFields        the fields that make the key, as JSON; `[]`: the whole shard is one key
 *   streams          the dead-letter streams that may hold letters, as JSON. An empty name stands for unknown others:
 *                    versions before 0.2.0 kept no list
 *   cleared          set once notes were removed while there may have been such others
 *   tidied           how many fields the last tidying left
 *
 * The consumer writes the notes of keys with its letters and acknowledgements; a redrive writes ages, and removes notes
 * that no letter needs any more.
 */

export const BEGINNING = '0-0';
const ID = /^\d{1,20}-\d{1,20}$/;
export const isId = (text: string): boolean => ID.test(text);

/** Maximum notes beyond two per letter. With more, no letter goes back, because its age could not be noted. */
export const MAX_NOTES = 20_000;

/** The notes of a group. */
export interface Notes {
  /** The hash. */
  readonly key: string;
  /** The key fields that the consumer noted with its first letter. */
  readonly keyFields: readonly string[];
  /** Whether it noted them. If not, the key of an entry without any of them is unknown. */
  readonly isKeyNoted: boolean;
  /** The hash's list of dead-letter streams; empty if there is none. */
  readonly listed: string;
  /** The dead-letter streams to look at: the requested one, the group's own, and the listed ones. */
  readonly deadLetterStreams: readonly string[];
  /** Whether unknown streams may hold letters. */
  readonly mayBeElsewhere: boolean;
  /** Whether letters of the requested stream may have lost their notes. */
  readonly isUncertain: boolean;
  /** Number of fields of the hash. */
  readonly size: number;
  /** Number of fields that the last tidying left. */
  readonly tidied: number;
}

export async function readNotes(redis: Redis, origin: Origin & { deadLetterStream: string }): Promise<Notes> {
  const { stream, group, deadLetterStream } = origin;
  const key = supersededKeyOf(stream, group);
  const names = ['keyFields', 'streams', 'cleared', 'tidied'];
  const [fields, size] = await Promise.all([
    redis.send({ key, args: ['HMGET', key, ...names], decode: (reply) => reply as (string | null)[] }),
    redis.send({ key, args: ['HLEN', key], decode: Number }),
  ]);
  const [keyFields, listed, cleared, tidied] = fields;
  const streams = JSON.parse(listed ?? '[]') as string[];
  const ownStream = deadLetterStreamOf(stream, group);
  return {
    key,
    keyFields: keyFields ? (JSON.parse(keyFields) as string[]) : SOURCE_RECORD_KEY_FIELDS,
    isKeyNoted: Boolean(keyFields),
    listed: listed ?? '',
    deadLetterStreams: [...new Set([deadLetterStream, ownStream, ...streams])].filter((name) => name !== ''),
    mayBeElsewhere: listed ? streams.includes('') : size > 0,
    isUncertain: Boolean(cleared) && deadLetterStream !== ownStream && !streams.includes(deadLetterStream),
    size,
    tidied: Number(tidied),
  };
}

/** The last entry delivered to the group; the beginning if there is no group. */
export async function readLastDelivered(redis: Redis, { stream, group }: Origin): Promise<string> {
  const groups = await redis.send(xinfoGroupsCommand(stream)).catch((error: ConnectorError) => {
    if (error.status === 404) return [];
    throw error;
  });
  const found = groups.find(({ name }) => name === group);
  return (found?.['last-delivered-id'] as string | undefined) ?? BEGINNING;
}
