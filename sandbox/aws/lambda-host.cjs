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
  let reply;
  try {
    const { handler } = require(join(bundles, name, 'index.cjs'));
    const output = await handler(JSON.parse(payload), context);
    reply = { id, output: JSON.stringify(output) };
  } catch (error) {
    const { name: errorType, message: errorMessage, stack } = error;
    reply = { id, error: { errorType, errorMessage, trace: stack.split('\n') } };
  }
  process.stdout.write(`\0${id}\n`); // the end of its lines
  process.send(reply);
});

process.on('disconnect', () => process.exit());
