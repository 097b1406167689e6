import type { ConnectorError } from '../core/errors.ts';
import { LeaseLost, type PendingRow } from './group.ts';
import { joinKey } from './ordering-key.ts';

/** Words a script: Lua unpacks no more than 8,000 values. */
const MAX_WORDS = 5000;

/** Waits for the reply of a script that needs the lease. */
export async function held<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    if ((error as ConnectorError).upstreamCode === 'LEASELOST') throw new LeaseLost();
    throw error;
  }
}

/** Words in portions that a script can take. */
export function portions(words: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(words.length / MAX_WORDS) }, (_, at) => {
    return words.slice(at * MAX_WORDS, (at + 1) * MAX_WORDS);
  });
}

/** A row of the look-up of pending entries. */
export function decodeRow([id, idleMs, deliveries, failures, crashes, bytes, ...values]: (
  string | null
)[]): PendingRow {
  const [own = 0, outages = 0, dueAt = 0] = failures?.split(',').map(numberOf) ?? [];
  return {
    id: id!,
    key: bytes === undefined ? undefined : joinKey(values),
    bytes: numberOf(bytes),
    idleMs: numberOf(idleMs),
    unended: numberOf(deliveries),
    ...{ own, outages, dueAt, crashes: numberOf(crashes) },
  };
}

/** A number as the server holds it; 0 where there is none, as where the state was lost. */
export function numberOf(text: string | null | undefined): number {
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
}
