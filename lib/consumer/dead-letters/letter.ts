import { refuse } from '../../contract/connector.ts';
import type { ConnectorError, Fault } from '../../core/errors.ts';
import { isoTime } from '../../core/iso-time.ts';
import type { Redis } from '../../redis/redis.ts';
import { fieldOf, type Entry } from '../entry.ts';
import { deadLetterStreamOf } from '../redis-keys.ts';

/** Where a dead letter is from: several groups may share a stream of dead letters. */
export interface Origin {
  readonly stream: string;
  readonly group: string;
}

/** Why and when an entry was given up. */
export interface DeadLetter {
  /** Id of the entry in its stream. */
  readonly sourceId: string;
  /** What was wrong with it, without its values. */
  readonly reason: string;
  readonly errorType: string;
  /** By the server's count. */
  readonly deliveries: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** What a dead letter holds beside the fields of its entry. */
const FIELDS = {
  stream: 'dl-stream',
  group: 'dl-group',
  sourceId: 'dl-source-id',
  reason: 'dl-reason',
  errorType: 'dl-error-type',
  deliveries: 'dl-deliveries',
  time: 'dl-time',
} as const satisfies Record<keyof Origin | keyof DeadLetter, string>;

/** The names of these fields. An entry that is put back leaves them behind. */
export const DEAD_LETTER_FIELDS: readonly string[] = Object.values(FIELDS);

/** The names of the fields that say where a letter is from, and of those that differ between the letters of a group. */
export const NAMES_OF = {
  origin: [FIELDS.stream, FIELDS.group],
  own: [FIELDS.sourceId, FIELDS.reason, FIELDS.errorType, FIELDS.deliveries, FIELDS.time],
} as const;

/** The values of what differs between the letters of a group, in the order of their names. */
export function encodeLetter({ sourceId, reason, errorType, deliveries, time }: DeadLetter): string[] {
  return [sourceId, reason, errorType, String(deliveries), isoTime(time)];
}

/** Writes all fields as the words of an XADD, at the end of the entry's own. */
export function encodeDeadLetter({ stream, group }: Origin, letter: DeadLetter): string[] {
  const own = encodeLetter(letter);
  return [FIELDS.stream, stream, FIELDS.group, group, ...NAMES_OF.own.flatMap((name, at) => [name, own[at]!])];
}

/** Reads them. Another program may have written the letter, so anything may be missing. */
export function decodeDeadLetter(entry: Entry): Origin & DeadLetter {
  return {
    stream: fieldOf(entry, FIELDS.stream) ?? '',
    group: fieldOf(entry, FIELDS.group) ?? '',
    sourceId: fieldOf(entry, FIELDS.sourceId) ?? '',
    reason: fieldOf(entry, FIELDS.reason) ?? '',
    errorType: fieldOf(entry, FIELDS.errorType) ?? '',
    deliveries: Number(fieldOf(entry, FIELDS.deliveries)) || 0,
    time: Date.parse(fieldOf(entry, FIELDS.time) ?? '') || 0,
  };
}

/**
 * The stream of dead letters: the one that is asked for, or the group's own.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for one that an entry cannot go to in one step: a cluster allows that
 *   within a slot. `refuseSettings` makes another error of it.
 */
export function chooseDeadLetterStream(
  redis: Pick<Redis, 'slotOf'>,
  { stream, group, deadLetterStream }: { stream: string; group: string; deadLetterStream?: string },
  refuseSettings: (faults: readonly Fault[]) => ConnectorError = (faults) => refuse('stream', faults),
): string {
  const fault = (message: string) => refuseSettings([{ pointer: '/deadLetterStream', message }]);
  const chosen = deadLetterStream ?? deadLetterStreamOf(stream, group);
  if (chosen === stream) throw fault('must be another stream than stream');
  if (redis.slotOf(chosen) !== redis.slotOf(stream)) throw fault('must be in the slot of stream');
  return chosen;
}
