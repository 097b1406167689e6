// Generated from the contracts by npm run generate. Do not edit.

/**
 * The rights of the Redis user that each operation needs in any kind of call, except commands that not every server
 * has; and whether it only reads.
 */
export const RIGHTS: Readonly<Record<string, { readonly needs: string; readonly readOnly: boolean }>> = {
  'mdm-source-enqueue': { needs: 'del eval exists get set xadd xinfo|groups xlen', readOnly: false },
  'mdm-source-enqueue-batch': { needs: 'del eval exec exists get multi set xadd xinfo|groups xlen', readOnly: false },
  'stream-consumer': {
    needs:
      'del eval evalsha exists get hdel hexists hget hincrby hlen hmget hscan hset hsetnx pexpire set time xack xadd xclaim xdel xgroup|create xinfo|groups xlen xpending xrange xreadgroup xtrim',
    readOnly: false,
  },
  'stream-pause': { needs: 'del eval exists set time', readOnly: false },
  'stream-check': {
    needs: 'acl|dryrun eval_ro exists get hget hscan info pttl time xinfo|groups xlen xpending xrange xrevrange',
    readOnly: true,
  },
  'stream-entry-status': { needs: 'eval_ro hget xinfo|groups xpending xrange', readOnly: true },
  'stream-redrive': {
    needs: 'del eval exists hdel hexists hget hlen hmget hscan hset hsetnx set time xadd xdel xlen xrange',
    readOnly: false,
  },
  'stream-status': {
    needs: 'eval_ro exists get hget hscan pttl time xinfo|groups xlen xpending xrange xrevrange',
    readOnly: true,
  },
  'stream-xack': { needs: 'xack', readOnly: false },
  'stream-xadd': { needs: 'xadd', readOnly: false },
  'stream-xdel': { needs: 'xdel', readOnly: false },
  'stream-xgroup-create': { needs: 'xgroup|create', readOnly: false },
  'stream-xgroup-destroy': { needs: 'xgroup|destroy', readOnly: false },
  'stream-xinfo-groups': { needs: 'xinfo|groups', readOnly: true },
  'stream-xrange': { needs: 'xrange', readOnly: true },
  'stream-xread': { needs: 'eval_ro xrange xread xrevrange', readOnly: true },
  'stream-xreadgroup': { needs: 'eval xclaim xinfo|groups xpending xrange xread xreadgroup', readOnly: false },
  'stream-xtrim': { needs: 'xtrim', readOnly: false },
  'stream-xlen': { needs: 'xlen', readOnly: true },
  'stream-xrevrange': { needs: 'xrevrange', readOnly: true },
  'stream-xpending': { needs: 'xpending', readOnly: true },
  'stream-xclaim': { needs: 'eval xclaim xpending xrange', readOnly: false },
  'stream-xautoclaim': { needs: 'eval xautoclaim xclaim xpending xrange', readOnly: false },
  'stream-xinfo-stream': { needs: 'xinfo|stream', readOnly: true },
  'stream-xinfo-consumers': { needs: 'xinfo|consumers', readOnly: true },
  'stream-xgroup-setid': { needs: 'xgroup|setid', readOnly: false },
  'stream-xgroup-createconsumer': { needs: 'xgroup|createconsumer', readOnly: false },
  'stream-xgroup-delconsumer': { needs: 'xgroup|delconsumer', readOnly: false },
  'stream-xadd-batch': { needs: 'exec multi xadd', readOnly: false },
};
