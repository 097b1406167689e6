import { createRedisMock } from 'js-redis-server';

/** Starts a Redis written in JavaScript in this process: slower than a real one, but good enough to try things. */
export async function startEmbeddedRedis(): Promise<{ port: number; url: string; close: () => Promise<void> }> {
  const server = await createRedisMock();
  const lua = await server.state!.getLuaRuntime();
  const evaluate = lua.eval.bind(lua);
  lua.eval = (script, ...rest) => evaluate(withoutShebang(script), ...rest);
  return { port: server.port, url: server.url, close: () => server.close() };
}

/** It does not support the `#!lua flags=…` line, which becomes a comment. It is never out of memory anyway. */
function withoutShebang(script: Buffer): Buffer {
  return script.toString('latin1', 0, 2) === '#!' ? Buffer.concat([Buffer.from('--'), script.subarray(2)]) : script;
}
