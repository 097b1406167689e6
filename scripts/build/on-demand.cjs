/*
 * The functions of the local stack: serverless-offline calls `scripts/build/on-demand.stream-xadd`. A function is
 * bundled when it is first called, and again when a source of it changed since its last call.
 */

/** What is no name of a function, such as `then`, is asked for by the loader. */
const isFunctionName = (name) => typeof name === 'string' && name.includes('-');

const handlerOf = (name) => async (event, context) => {
  const { loadHandler } = await import('./on-demand.ts');
  const handler = await loadHandler(name);
  return handler(event, context);
};

module.exports = new Proxy({}, { get: (_, name) => (isFunctionName(name) ? handlerOf(name) : undefined) });
