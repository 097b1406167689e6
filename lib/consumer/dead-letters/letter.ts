import { refuse } from '../../contract/connector.ts';
import type { ConnectorError, Fault } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import { fieldOf, type Entry } from '../entry.ts';
import { deadLetterStreamOf } from '../redis-keys.ts';

/** The origin of a dead letter. Several groups may share a dead-letter stream. */
export interface Origin {
  readonly stream: string;
  readonly group: string;
}

/** Why and when an entry was given up. */
export interface DeadLetter {
  /** Id of the entry in its stream. */
  readonly sourceId: string;
  /** Why it was given up, without its values. */
  readonly reason: string;
  readonly errorType: string;
  /** Number of deliveries, by the server's count. */
  readonly deliveries: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Fields of a dead letter besides those of its entry. */
const FIELDS = {
  stream: 'dl-stream',
  group: 'dl-group',
  sourceId: 'dl-source-id',
  reason: 'dl-reason',
  errorType: 'dl-error-type',
  deliveries: 'dl-deliveries',
  time: 'dl-time',
} as const satisfies Record<keyof Origin | keyof DeadLetter, string>;

/** The names of these fields. A redrive drops them. */
export const DEAD_LETTER_FIELDS: readonly string[] = Object.values(FIELDS);

/** The names of the fields for the origin, and of those that differ between the letters of a group. */
export const NAMES_OF = {
  origin: [FIELDS.stream, FIELDS.group],
  own: [FIELDS.sourceId, FIELDS.reason, FIELDS.errorType, FIELDS.deliveries, FIELDS.time],
} as const;

/** The values that differ between the letters of a group, in the order of their names. */
export function encodeLetter({ sourceId, reason, errorType, deliveries, time }: DeadLetter): string[] {
  return [sourceId, reason, errorType, String(deliveries), new Date(time).toISOString()];
}

/** Writes all fields as the words of an XADD, at the end of the entry's own. */
export function encodeDeadLetter({ stream, group }: Origin, letter: DeadLetter): string[] {
  const own = encodeLetter(letter);
  return [FIELDS.stream, stream, FIELDS.group, group, ...NAMES_OF.own.flatMap((name, at) => [name, own[at]!])];
}

/** Reads the fields. Another program may have written the letter, so any may be missing. */
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
 * The dead-letter stream: the requested one, or the group's own.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for a stream that an entry cannot move to in one step: in a cluster it
 *   must be in the same slot. `refuseSettings` may turn it into another error.
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
