/*
 * A warm container in fast forward: the heap after so many invocations over the heap after the first few, garbage
 * collected both times.
 */
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

process.once('message', async ({ handler: path, event, first, times }) => {
  const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };
  const { handler } = require(path);
  const heapAfter = async (calls) => {
    for (let call = 0; call < calls; call++) await handler(event, context);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await heapAfter(first);
  process.send((await heapAfter(times - first)) / before);
});
