const { once } = require('node:events');

/*
 * A new container: loads a handler, and invokes it with one event after the other. Knows no TypeScript, so that nothing
 * but the function is loaded. Sends how long the load and each invocation took, and the responses. With `isLimited` it
 * says before the last one that it is warm, and waits until it is told to go on.
 */
process.once('message', async ({ handler: path, events, remainingMs, isLimited }) => {
  const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => remainingMs };
  const startedAt = performance.now();
  const { handler } = require(path);
  const loadMs = performance.now() - startedAt;
  const calls = [];
  for (const event of events) {
    if (isLimited && calls.length === events.length - 1) {
      process.send('warm');
      await once(process, 'message');
    }
    const calledAt = performance.now();
    const response = await handler(event, context);
    calls.push({ ms: performance.now() - calledAt, response });
    if (response?.statusCode >= 300) throw new Error(`${path} responded ${JSON.stringify(response)}`);
  }
  process.send({ loadMs, calls });
});
