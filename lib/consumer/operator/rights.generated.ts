// Generated from the contracts by npm run generate. Do not edit.

/** The rights that a run needs, by itself, so that the consumer's bundle holds no others. */
export const RIGHTS_OF_CONSUMER =
  'del eval evalsha exists get hdel hexists hget hincrby hlen hmget hscan hset hsetnx pexpire set time xack xadd xclaim xdel xgroup|create xinfo|groups xlen xpending xrange xreadgroup xtrim';

/**
 * The rights of the Redis user that each operation needs in any kind of call, except commands that not every server
 * has.
 */
export const RIGHTS: Readonly<Record<string, string>> = {
  'mdm-source-enqueue': 'del eval exists get set xadd xinfo|groups xlen',
  'mdm-source-enqueue-batch': 'del eval exec exists get multi set xadd xinfo|groups xlen',
  'stream-consumer': RIGHTS_OF_CONSUMER,
  'stream-pause': 'del eval exists set time',
  'stream-check': 'acl|dryrun eval_ro exists get hget hscan info pttl time xinfo|groups xlen xpending xrange xrevrange',
  'stream-entry-status': 'eval_ro hget xinfo|groups xpending xrange',
  'stream-redrive':
    'del eval exists hdel hexists hget hlen hmget hscan hset hsetnx set time xadd xdel xinfo|groups xlen xpending xrange',
  'stream-status': 'eval_ro exists get hget hscan pttl time xinfo|groups xlen xpending xrange xrevrange',
  'stream-xack': 'xack',
  'stream-xadd': 'xadd',
  'stream-xdel': 'xdel',
  'stream-xgroup-create': 'xgroup|create',
  'stream-xgroup-destroy': 'xgroup|destroy',
  'stream-xinfo-groups': 'xinfo|groups',
  'stream-xrange': 'xrange',
  'stream-xread': 'eval_ro xrange xread xrevrange',
  'stream-xreadgroup': 'eval xclaim xinfo|groups xpending xrange xread xreadgroup',
  'stream-xtrim': 'xtrim',
  'stream-xlen': 'xlen',
  'stream-xrevrange': 'xrevrange',
  'stream-xpending': 'xpending',
  'stream-xclaim': 'eval xclaim xpending xrange',
  'stream-xautoclaim': 'eval xautoclaim xclaim xpending xrange',
  'stream-xinfo-stream': 'xinfo|stream',
  'stream-xinfo-consumers': 'xinfo|consumers',
  'stream-xgroup-setid': 'xgroup|setid',
  'stream-xgroup-createconsumer': 'xgroup|createconsumer',
  'stream-xgroup-delconsumer': 'xgroup|delconsumer',
  'stream-xadd-batch': 'exec multi xadd',
};

/** Those of them that only read. */
export const READING: readonly string[] = [
  'stream-check',
  'stream-entry-status',
  'stream-status',
  'stream-xinfo-groups',
  'stream-xrange',
  'stream-xread',
  'stream-xlen',
  'stream-xrevrange',
  'stream-xpending',
  'stream-xinfo-stream',
  'stream-xinfo-consumers',
];
