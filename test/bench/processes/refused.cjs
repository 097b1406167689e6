/* A container that refuses the same call some times. Sends its peak memory in kB, and what the last refusal said. */
process.once('message', async ({ handler: path, event, times }) => {
  const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };
  const { handler } = require(path);
  let message = 'it succeeded';
  for (let call = 0; call < times; call++) {
    await handler(event, context).catch((error) => (message = error.message));
  }
  process.send({ peakKb: process.resourceUsage().maxRSS, message });
});
