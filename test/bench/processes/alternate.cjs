/*
 * A warm container with several handlers in it: after a warm-up it calls them by turns, `batch` times each, in a new
 * random order each turn. Sends the times of the calls by handler, in microseconds.
 */
process.once('message', async ({ variants, turns, warmUp, batch = 1 }) => {
  const calls = variants.map(({ handler: path, event }) => {
    const { handler } = require(path);
    const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };
    return () => handler(event, context);
  });
  const micros = variants.map(() => []);
  for (let turn = -warmUp; turn < turns; turn++) {
    const order = calls.map((_, index) => [Math.random(), index]).sort(([a], [b]) => a - b);
    for (const [, index] of order) {
      const startedAt = performance.now();
      for (let call = 0; call < batch; call++) await calls[index]();
      if (turn >= 0) micros[index].push(((performance.now() - startedAt) * 1000) / batch);
    }
  }
  process.send(micros);
});
