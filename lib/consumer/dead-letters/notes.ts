import type { ConnectorError } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import { xinfoGroupsCommand } from '../../stream/commands/xinfo-groups.ts';
import { deadLetterStreamOf, supersededKeyOf } from '../redis-keys.ts';
import { SOURCE_RECORD_KEY_FIELDS } from '../entry.ts';
import type { Origin } from './letter.ts';

/*
 * While a group has dead letters, it notes in one hash what came later, so that no redrive brings an old value after a
 * newer one:
 *
 *   <hash of a key>  the latest entry of the key (`hashOfKey`) that was processed since its first letter; `0-0`: none
 *   r:<id>           the age of the entry <id>, a letter that went back: the id that it had at first
 *   keyFields        the fields that make the key, as JSON; `[]`: the whole shard is one key
 *   streams          the dead-letter streams that may hold letters, as JSON. An empty name among them stands for others
 *                    that nobody noted: versions before 0.2.0 kept no list
 *   cleared          set once notes were removed while there may have been such others
 *   tidied           how many fields the last tidying left
 *
 * The consumer writes the notes of keys with its letters and acknowledgements, a redrive those of ages. A redrive
 * removes what serves no letter any more.
 */

export const BEGINNING = '0-0';
const ID = /^\d{1,20}-\d{1,20}$/;
export const isId = (text: string): boolean => ID.test(text);

/** Function of the scripts: how old an entry or a letter is; one that went back is as old as it was at first. */
export const AGE = `
local function ageOf(notes, id) return redis.call('HGET', notes, 'r:' .. id) or id end`;

/** Function of the scripts: notes that a dead-letter stream may hold letters. Before the first other note is written. */
export const NOTE_STREAM = `
local function noteStream(notes, name)
  local noted = redis.call('HGET', notes, 'streams')
  local streams = noted and cjson.decode(noted) or redis.call('EXISTS', notes) == 1 and {''} or {}
  for _, known in ipairs(streams) do if known == name then return end end
  streams[#streams + 1] = name
  redis.call('HSET', notes, 'streams', cjson.encode(streams))
end`;

/** Most notes beyond two a letter: past them no letter goes back, because its age could not be noted. */
export const MAX_NOTES = 20_000;

/** What is noted of a group. */
export interface Notes {
  /** The hash. */
  readonly key: string;
  /** The fields that the consumer orders by, as it noted them with its first letter. */
  readonly keyFields: readonly string[];
  /** Whether it noted them; else an entry without any of them has no key that is known. */
  readonly isKeyNoted: boolean;
  /** The list of dead-letter streams as the hash has it; empty where it has none. */
  readonly listed: string;
  /** The dead-letter streams to look at: the one that is asked for, the group's own, and those listed. */
  readonly deadLetterStreams: readonly string[];
  /** Whether others may hold letters. */
  readonly mayBeElsewhere: boolean;
  /** Whether the letters of the stream that is asked for may have lost their notes. */
  readonly isUncertain: boolean;
  /** Fields of the hash. */
  readonly size: number;
  /** Fields that the last tidying left. */
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
  const own = deadLetterStreamOf(stream, group);
  return {
    key,
    keyFields: keyFields ? (JSON.parse(keyFields) as string[]) : SOURCE_RECORD_KEY_FIELDS,
    isKeyNoted: Boolean(keyFields),
    listed: listed ?? '',
    deadLetterStreams: [...new Set([deadLetterStream, own, ...streams])].filter((name) => name !== ''),
    mayBeElsewhere: listed ? streams.includes('') : size > 0,
    isUncertain: Boolean(cleared) && deadLetterStream !== own && !streams.includes(deadLetterStream),
    size,
    tidied: Number(tidied),
  };
}

/** The last entry that the group was given; the beginning where there is no group. */
export async function readLastDelivered(redis: Redis, { stream, group }: Origin): Promise<string> {
  const groups = await redis.send(xinfoGroupsCommand(stream)).catch((error: ConnectorError) => {
    if (error.status === 404) return [];
    throw error;
  });
  const found = groups.find(({ name }) => name === group);
  return (found?.['last-delivered-id'] as string | undefined) ?? BEGINNING;
}
