import { setTimeout as sleep } from 'node:timers/promises';
import { fieldsOf, type Entry } from '#lib/consumer/entry.ts';
import { createLog } from '#lib/core/log.ts';
import { consume } from '#lib/consumer/consume.ts';
import { openShards } from '#lib/consumer/group/open-shards.ts';
import { shardNames } from '#lib/consumer/scope.ts';
import { settingsWithin } from '#lib/consumer/settings.ts';
import { openRedis } from './consumer-fixture.ts';

/*
 * One run of the engine in a process of its own, with a target that makes the JSON of each entry, as a client of an API
 * does, and takes its time: prints its report, and the most memory that it had resident, in MB. Arguments: port,
 * stream, settings, `targetMs` and `shards` as JSON.
 */
const [port, stream, more] = process.argv.slice(2) as [string, string, string];
/** The time of the run, and of its leases, in milliseconds: on a busy machine, nothing but its work ends it. */
const PATIENCE_MS = 200_000;
const parameters = {
  batchSize: 100,
  concurrency: 10,
  maxDeliveries: 5,
  backoffMs: 1,
  leaseMs: PATIENCE_MS,
  trim: false,
  startId: '0',
  refusalLimit: 20,
  lingerMs: 0,
  targetMs: 1,
  shards: undefined as number | undefined,
  ...(JSON.parse(more) as object),
};
const settings = settingsWithin(parameters, PATIENCE_MS, 512);
const redis = openRedis(Number(port), PATIENCE_MS);
const keyFields = ['k'];
const streams = settings.shards === undefined ? [stream] : shardNames(stream, settings.shards);
const shards = openShards(redis, streams, { configRef: 'default', group: 'g', keyFields, ...settings }, (faults) => {
  throw new Error(JSON.stringify(faults));
});
const target = {
  keyFields,
  process: async (entry: Entry) => {
    const body = Buffer.from(JSON.stringify(fieldsOf(entry)));
    await sleep(settings.targetMs);
    if (body.length === 0) throw new Error('no body');
  },
};
const { report } = await consume({ shards, target, settings, log: createLog('error') });
redis.end();
console.log(JSON.stringify({ report, residentMb: Math.round(process.resourceUsage().maxRSS / 1024) }));
