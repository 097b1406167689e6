import type { LastFailure, RunReport } from '../../contract/parameters/consumer.ts';
import type { ConnectorError } from '../../core/errors.ts';
import { isUnavailable } from '../../redis/acl.ts';
import type { Redis } from '../../redis/redis.ts';
import { readFailing, type FailingEntry } from '../group/last-failure.ts';

/** What waits for another try in a group. */
export interface Failing {
  readonly lastFailure: LastFailure | null;
  /** Earliest time of the next try; null if nothing waits. */
  readonly nextTryAt: string | null;
}

const NONE: Failing = { lastFailure: null, nextTryAt: null };

/**
 * What waits for another try on a shard. Nothing if the Redis user may not read it: users of earlier versions lack that
 * right.
 *
 * @param refused receives Redis' refusal
 */
export async function readWaiting(
  redis: Redis,
  stream: string,
  group: string,
  refused: (error: ConnectorError) => void,
): Promise<Failing> {
  try {
    return describe(await readFailing(redis, stream, group));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    refused(error);
    return NONE;
  }
}

interface Ended {
  readonly report: RunReport;
  /** Its shards, with their pending entries counted. */
  readonly shards: readonly { readonly stream: string; readonly pending: number }[];
}

/**
 * An ended run, its report with the newest failure on any shard that has pending entries. A fault of Redis does not
 * fail a run that is over.
 */
export async function withLastFailure<T extends Ended>(redis: Redis, group: string, ended: T): Promise<T> {
  const waiting = ended.shards.filter(({ pending }) => pending > 0);
  const found = await Promise.all(
    waiting.map(({ stream }) => readWaiting(redis, stream, group, () => {}).catch(() => NONE)),
  );
  const failures = found.flatMap(({ lastFailure }) => lastFailure ?? []);
  const [newest] = failures.toSorted((one, other) => other.at.localeCompare(one.at));
  if (!newest) return ended;
  const lastFailure = { ...newest, entries: failures.reduce((sum, { entries }) => sum + entries, 0) };
  return { ...ended, report: { ...ended.report, lastFailure } };
}

function describe(failing: readonly FailingEntry[]): Failing {
  if (failing.length === 0) return NONE;
  const known = failing.flatMap(({ failedAt, cause }) => {
    return failedAt === undefined || cause === undefined ? [] : [{ failedAt, cause }];
  });
  const [newest] = known.toSorted((one, other) => other.failedAt - one.failedAt);
  const nextAt = failing.reduce((least, { dueAt }) => Math.min(least, dueAt), Infinity);
  return {
    lastFailure: newest ? { ...newest.cause, at: timeOf(newest.failedAt), entries: failing.length } : null,
    nextTryAt: timeOf(nextAt),
  };
}

const timeOf = (ms: number) => new Date(ms).toISOString();
