import { refuse } from '../../contract/refusals.ts';
import type { ConnectorError, Fault, UpstreamError } from '../../core/errors.ts';
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
  /** What the target found wrong, part by part, as JSON. Default: nothing. */
  readonly upstreamErrors?: string;
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
} as const satisfies Record<keyof Origin | Exclude<keyof DeadLetter, 'upstreamErrors'>, string>;
/** A field that only letters with such parts have. It may be large, so lists of letters leave it out. */
const UPSTREAM_ERRORS = 'dl-upstream-errors';

/** The names of the fields that lists of letters read. */
export const LISTED_FIELDS: readonly string[] = Object.values(FIELDS);
/** The names of all these fields. A redrive drops them. */
export const DEAD_LETTER_FIELDS: readonly string[] = [...LISTED_FIELDS, UPSTREAM_ERRORS];

/** Longest text of the parts of an error in a letter. */
const MAX_UPSTREAM_ERRORS = 8_000;

/** The parts of an error as a letter holds them: as many as fit. Empty if there are none. */
export function encodeErrors(errors: readonly UpstreamError[]): string {
  for (let count = errors.length; count > 0; count--) {
    const text = JSON.stringify(errors.slice(0, count));
    if (text.length <= MAX_UPSTREAM_ERRORS) return text;
  }
  return '';
}

/** The values of these fields, in their order; '' of one that the letter does not have. */
export function encodeDeadLetter({ stream, group }: Origin, letter: DeadLetter): string[] {
  const { sourceId, reason, errorType, deliveries, time, upstreamErrors = '' } = letter;
  return [stream, group, sourceId, reason, errorType, String(deliveries), new Date(time).toISOString(), upstreamErrors];
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

/** The dead letters of a group's shard. */
export interface Letters extends Origin {
  readonly deadLetterStream: string;
}

/** Where the dead letters of a shard are: in the stream that the group names, or in its own. */
export const lettersOf = ({ stream, group }: Origin, named: string | undefined): Letters => ({
  stream,
  group,
  deadLetterStream: named ?? deadLetterStreamOf(stream, group),
});

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
  const { deadLetterStream: chosen } = lettersOf({ stream, group }, deadLetterStream);
  if (chosen === stream) throw fault('must be another stream than stream');
  if (redis.slotOf(chosen) !== redis.slotOf(stream)) throw fault('must be in the slot of stream');
  return chosen;
}
