import type { Redis } from '../redis/redis.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { RedisConfig } from '../config/config.schema.ts';
import { consume, type Consumed } from './consume.ts';
import { expireLetters } from './dead-letters/expire.ts';
import { openNotices } from './dead-letters/notices.ts';
import { tidyShards } from './dead-letters/tidy-shards.ts';
import { takeOverFormerKeys } from './group/former-keys.ts';
import { openShards } from './group/open-shards.ts';
import { openRate } from './group/rate.ts';
import { withLastFailure } from './operator/last-failure.ts';
import { refuseMissingRights } from './operator/rights.ts';
import { openAnyClock } from './redis-clock.ts';
import { settingsWithin, type RefuseSettings, type ResolvedParameters } from './settings.ts';
import { openTarget } from './targets/open-target.ts';

/** What a run has besides its parameters. */
export interface CarryOptions {
  readonly redis: Redis;
  readonly config: RedisConfig;
  readonly invocation: Invocation;
  readonly refuseSettings: RefuseSettings;
  /** Starts the next run. */
  readonly startSuccessor: (() => Promise<void>) | undefined;
}

/**
 * One run over the shards of a stream, with what precedes it and follows it: rights, expired letters, notices, notes.
 */
export async function carryStreams(parameters: ResolvedParameters, options: CarryOptions): Promise<Consumed> {
  const { redis, config, invocation, refuseSettings, startSuccessor } = options;
  const { streams, ...run } = parameters;
  const { stream, group } = run;
  const { configRef, deadline, failures } = invocation;
  const log = invocation.log.with({ stream, group });
  const isOnCluster = config.mode === 'cluster';
  const { key: shard, clock } = await openAnyClock(redis, streams, log); // all shards share a clock, rights and a rate
  await refuseMissingRights(redis, config, { ...run, stream: shard });
  await takeOverFormerKeys(redis, config, parameters);
  const target = await openTarget(run, invocation);
  const { keyFields } = target;
  const shards = openShards(redis, streams, { ...run, configRef, keyFields, isOnCluster }, refuseSettings);
  await expireLetters(redis, parameters, deadline, log);
  const settings = settingsWithin(run, deadline.remainingMs(), invocation.memoryMb);
  const rate = openRate(redis, shard, run);
  const notices = openNotices(redis, { stream, group }, deadline, log);
  const ended = await consume({ clock, shards, target, rate, settings, log, failures, startSuccessor, notices });
  const consumed = await withLastFailure(redis, group, ended);
  await notices?.end();
  await tidyShards(redis, consumed.shards, run, invocation);
  return consumed;
}
