/** The largest number of shards of a stream. */
export const MAX_SHARDS = 1024;
