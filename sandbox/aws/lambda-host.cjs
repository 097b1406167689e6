/*
 * Mimics a Lambda container: a process that loads bundled functions and handles one message per invocation. As on
 * Lambda, payloads and outputs are JSON text, and an error becomes its name, its message and the lines of its stack.
 */
const { join } = require('node:path');

const bundles = process.argv[2];

process.on('message', async ({ id, name, payload, timeoutMs }) => {
  const endsAt = performance.now() + timeoutMs;
  const context = {
    awsRequestId: id,
    functionName: (process.env.LAMBDA_FUNCTION_PREFIX ?? '') + name,
    getRemainingTimeInMillis: () => Math.max(0, endsAt - performance.now()),
  };
  try {
    const { handler } = require(join(bundles, name, 'index.cjs'));
    const output = await handler(JSON.parse(payload), context);
    process.send({ id, output: JSON.stringify(output) });
  } catch (error) {
    const { name: errorType, message: errorMessage, stack } = error;
    process.send({ id, error: { errorType, errorMessage, trace: stack.split('\n') } });
  }
});

process.on('disconnect', () => process.exit());
