/*
 * A new container: loads a handler, and invokes it with one event after the other. Knows no TypeScript, so that nothing
 * but the function is loaded. Answers how long the load and each invocation took, and what was answered.
 */
process.once('message', async ({ handler: path, events }) => {
  const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 120_000 };
  const startedAt = performance.now();
  const { handler } = require(path);
  const loadMs = performance.now() - startedAt;
  const calls = [];
  for (const event of events) {
    const calledAt = performance.now();
    const answer = await handler(event, context);
    calls.push({ ms: performance.now() - calledAt, answer });
    if (answer?.statusCode >= 300) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
  }
  process.send({ loadMs, calls });
});
