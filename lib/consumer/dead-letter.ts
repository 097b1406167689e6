import { fieldOf, type Entry } from './entry.ts';

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

/** Writes them as the words of an XADD, at the end of the entry's own fields. */
export function encodeDeadLetter(origin: Origin, { time, ...letter }: DeadLetter): string[] {
  const { stream, group } = origin;
  const { sourceId, reason, errorType, deliveries } = letter;
  // prettier-ignore
  return [
    FIELDS.stream, stream, FIELDS.group, group, FIELDS.sourceId, sourceId, FIELDS.reason, reason,
    FIELDS.errorType, errorType, FIELDS.deliveries, String(deliveries), FIELDS.time, new Date(time).toISOString(),
  ];
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
