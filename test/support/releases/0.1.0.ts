/*
 * What version 0.1.0 wrote, and what it took: written down from its code, by value, so that no later change of ours
 * changes it.
 */

/** Members that its secret could have; it refused any other. */
export const SECRET_MEMBERS = [
  'mdm',
  'mdm.auth',
  'mdm.baseUrl',
  'mdm.timeoutMs',
  'mdm.headers',
  'mdm.paths',
  'mdm.sessionStore',
  'mdm.ca',
  'mdm.proxy',
  'mdm.paths.entity',
  'mdm.paths.entityXref',
  'mdm.paths.search',
  'mdm.paths.metadata',
  'redis',
  'redis.mode',
  'redis.url',
  'redis.nodes',
  'redis.sentinelName',
  'redis.connectTimeoutMs',
  'redis.commandTimeoutMs',
  'redis.ca',
  'ingest',
  'ingest.stream',
  'ingest.shards',
];

/** The input of its schedules, one a shard, and one with every setting that a run could have. */
export const SCHEDULE_INPUTS = [
  { stream: 'source-submit:0', group: 'mdm' },
  {
    configRef: 'default',
    stream: 'source-submit:0',
    group: 'mdm',
    target: 'source-submit',
    batchSize: 100,
    concurrency: 10,
    maxDeliveries: 5,
    maxAgeMs: 86_400_000,
    backoffMs: 1000,
    leaseMs: 15_000,
    startId: '0',
    trim: false,
    deadLetterStream: '{source-submit:0}:dead:mdm',
  },
];

/** The fields of an entry that its `mdm-source-enqueue` added. */
export const entryOf = (sourcePKey: string, record: object) => ({
  businessEntity: 'c360.city',
  sourceSystem: 'geonames',
  sourcePKey,
  record: JSON.stringify(record),
});

/** What it added to a dead letter: neither the stream nor the group, which came later. */
export const letterFields = (sourceId: string) => ({
  'dl-source-id': sourceId,
  'dl-reason': '/record must be JSON',
  'dl-error-type': 'MDM:CLIENT_ERROR',
  'dl-deliveries': '1',
  'dl-time': '2026-11-20T12:00:00.000Z',
});

/** A shard's keys, and the one consumer name that its runs use. */
export const CONSUMER = 'stream-consumer';
export const DEAD_LETTERS = '{source-submit:0}:dead:mdm';
export const LEASE = '{source-submit:0}:lease:mdm';
export const FENCE = '{source-submit:0}:fence:mdm:old-token';
/** While the target rests: an empty value, for as long as it lasts. */
export const REST = '{source-submit:0}:pause:mdm';

/** Its script that acknowledged by burying: KEYS lease, stream, letters; ARGV token, group, id, dl-field, value, … */
export const BURY = `#!lua
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('LEASELOST not held') end
if #redis.call('XPENDING', KEYS[2], ARGV[2], ARGV[3], ARGV[3], 1) == 0 then return 'gone' end
local entry = redis.call('XRANGE', KEYS[2], ARGV[3], ARGV[3])[1]
if entry then
  local letter = entry[2]
  for at = 4, #ARGV do letter[#letter + 1] = ARGV[at] end
  redis.call('XADD', KEYS[3], '*', unpack(letter))
end
redis.call('XACK', KEYS[2], ARGV[2], ARGV[3])
return entry and 'buried' or 'gone'`;
