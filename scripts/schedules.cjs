/*
 * The schedules of the consumer: one for each shard of the ingest stream, from the stage parameters `shards`,
 * `ingestStream`, `consumerGroup` and `consumerRate`. Read by serverless.yml.
 */
module.exports = async ({ resolveVariable }) => {
  const [shards, stream, group, rate] = await Promise.all(
    ['shards', 'ingestStream', 'consumerGroup', 'consumerRate'].map((name) => resolveVariable(`param:${name}`)),
  );
  return Array.from({ length: Number(shards) }, (_, shard) => ({
    schedule: {
      method: 'scheduler',
      rate: [rate],
      input: { stream: `${stream}:${shard}`, group },
    },
  }));
};
