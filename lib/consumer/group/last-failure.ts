import { hash } from 'node:crypto';
import type { Redis } from '../../redis/redis.ts';
import { scanHash } from '../../redis/scan-hash.ts';
import { stateKeyOf } from '../redis-keys.ts';
import type { Cause, FailureState } from './group.ts';

/** Causes that a group remembers. A newer one may replace an older one. */
const MAX_CAUSES = 64;
/** Fields of the state per command. */
const PORTION = 1000;

/** An entry that waits for another try after a failure. */
export interface FailingEntry {
  readonly id: string;
  readonly entryFailures: number;
  readonly targetFailures: number;
  /** Earliest time of the next attempt, in milliseconds since 1970. */
  readonly dueAt: number;
  /** Time and cause of the last failure; undefined if they are not known. */
  readonly failedAt: number | undefined;
  readonly cause: Cause | undefined;
}

/** The words of a failed entry for the script that writes it: its cause, if known, and its counts. */
export function encodeFailed({ id, entryFailures, targetFailures, dueAt, failedAt, cause }: FailureState): string[] {
  const counts = `${entryFailures},${targetFailures},${Math.ceil(dueAt)}`;
  if (!cause || failedAt === undefined) return [id, counts];
  const known = JSON.stringify(cause);
  const name = hash('sha256', known).slice(0, 8);
  return [fieldOf(name), JSON.stringify({ name, ...cause }), id, `${counts},${Math.floor(failedAt)},${name}`];
}

/** The field of a cause: `f:0` to `f:63`. */
const fieldOf = (name: string) => `f:${Number.parseInt(name, 16) % MAX_CAUSES}`;

/** The field of the cause that an entry's state names, if it names one. */
export function causeFieldOf(counts: string): string | undefined {
  const name = counts.split(',')[4];
  return name === undefined ? undefined : fieldOf(name);
}

/**
 * An entry's state as the scripts write it: `entryFailures,targetFailures,dueAt`, and since 1.1 `,failedAt,cause`.
 */
export function decodeFailing(id: string, counts: string, causes: ReadonlyMap<string, string>): FailingEntry {
  const [entryFailures = '0', targetFailures = '0', dueAt = '0', failedAt, name = ''] = counts.split(',');
  return {
    id,
    entryFailures: Number(entryFailures),
    targetFailures: Number(targetFailures),
    dueAt: Number(dueAt),
    failedAt: failedAt === undefined ? undefined : Number(failedAt),
    cause: decodeCause(causes.get(fieldOf(name)), name),
  };
}

/** Undefined if another cause has replaced it. */
function decodeCause(text: string | undefined, wanted: string): Cause | undefined {
  if (text === undefined) return undefined;
  const { name, type, detail, target } = JSON.parse(text) as Cause & { name: string };
  return name === wanted ? { type, detail, target } : undefined;
}

/** The entries of a group that wait after a failure; at most 10,000, as many as the state holds. */
export async function readFailing(redis: Redis, stream: string, group: string): Promise<FailingEntry[]> {
  const key = stateKeyOf(stream, group);
  const counts = new Map<string, string>();
  const causes = new Map<string, string>();
  for await (const fields of scanHash(redis, key, PORTION)) {
    for (let index = 0; index < fields.length; index += 2) {
      const [name = '', value = ''] = fields.slice(index, index + 2);
      if (name.startsWith('e:')) counts.set(name.slice(2), value);
      else if (name.startsWith('f:')) causes.set(name, value);
    }
  }
  return Array.from(counts, ([id, value]) => decodeFailing(id, value, causes));
}
