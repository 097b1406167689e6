import type { status } from '../../functions/stream/status/contract.ts';
import type { OutputOf } from '../../lib/contract/operation.ts';
import { ENTITIES } from '../mdm/records/data-model.ts';
import type { Feed } from './feed.ts';
import type { Condition, ConsoleState, ShardState } from './messages.ts';
import type { FrontParts } from '../stack/stack.ts';
import type { RunLog } from './run-log.ts';

interface Switches {
  condition: Condition;
  feed: Feed;
  runs: RunLog;
}

/** Looks at the stack through `stream-status`, and at the sandbox itself. */
export async function readState(parts: FrontParts, { condition, feed, runs }: Switches): Promise<ConsoleState> {
  const { mdm, group } = parts;
  const shards = await readShards(parts);
  const sum = (count: (entity: string) => number) => ENTITIES.reduce((total, { guid }) => total + count(guid), 0);
  return {
    at: Date.now(),
    group,
    condition,
    feed: { perSecond: feed.perSecond, enqueued: feed.enqueued, failed: feed.failed },
    mdm: {
      requests: mdm.requestCount,
      logins: mdm.logins,
      refusedLogins: mdm.sessions.refusedLogins,
      golden: sum((entity) => mdm.records.allGolden(entity).length),
      sources: sum((entity) => mdm.records.allSources(entity).length),
    },
    shards,
    deadLetters: shards.reduce((total, { deadLetters }) => total + deadLetters, 0),
    runs: runs.read(),
  };
}

type Status = OutputOf<typeof status>;

async function readShards({ post, stream, shards, group }: FrontParts): Promise<ShardState[]> {
  const rows = await post<Status>('/stream/status', { stream, shards: shards.length, group });
  return rows.map(({ oldestPendingMs, oldestUnreadMs, deadLetters, ...row }) => ({
    stream: row.stream,
    length: row.length,
    lag: row.lag,
    pending: row.pending,
    oldestMs: Math.max(oldestPendingMs ?? 0, oldestUnreadMs ?? 0),
    run: row.run,
    breaker: row.breaker,
    deadLetters: deadLetters.reduce((total, { count }) => total + count, 0),
  }));
}
