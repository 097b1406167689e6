/* A container that is used for a while. Sends its peak memory in kB; without a handler, that of bare Node. */
process.once('message', async ({ handler: path, event, times }) => {
  const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };
  const handler = path ? require(path).handler : async () => {};
  for (let call = 0; call < times; call++) await handler(event, context);
  process.send(process.resourceUsage().maxRSS);
});
