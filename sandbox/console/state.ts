import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import type { GroupStatus } from '#lib/contract/parameters/status.ts';
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

/** Reads the state of the stack from `stream-status` and the sandbox. */
export async function readState(parts: FrontParts, { condition, feed, runs }: Switches): Promise<ConsoleState> {
  const { mdm, group } = parts;
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
    shards: await readShards(parts),
    history: runs.read(),
  };
}

async function readShards({ post, stream, shards, group }: FrontParts): Promise<ShardState[]> {
  const [rows, letters] = await Promise.all([
    post<GroupStatus[]>('/stream/status', { stream, shards: shards.length, group }),
    Promise.all(shards.map((shard) => post<number>('/stream/xlen', { key: deadLetterStreamOf(shard, group) }))),
  ]);
  return rows.map((row, at) => ({ ...row, letters: letters[at]! }));
}
