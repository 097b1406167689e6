import { once } from 'node:events';
import { createServer } from 'node:net';
import { ScriptError } from '#scripts/build/script-error.ts';

/** Ports of the local stack. */
export interface Ports {
  http: number;
  lambda: number;
}

/** Addresses of `localhost`. */
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Checks that the stack's ports are free.
 *
 * @throws {ScriptError} names each taken port, and how to free or change it
 */
export async function checkPorts({ http, lambda, inspect }: Ports & { inspect?: number }): Promise<void> {
  if (http === lambda) throw new ScriptError(`--port and --lambda-port are both ${http}: they must differ`);
  const wanted = [
    { port: http, use: 'the HTTP API', option: '--port' },
    { port: lambda, use: 'the Lambda endpoint', option: '--lambda-port' },
    ...(inspect ? [{ port: inspect, use: 'the debugger', option: '--inspect-port' }] : []),
  ];
  const messages: string[] = [];
  for (const { port, use, option } of wanted) {
    if (!(await isTaken(port))) continue;
    messages.push(
      `Port ${port} (${use}) is taken by another process. Free it (lsof -i :${port} names the process), ` +
        `or choose another: npm start -- ${option} ${port + 100}`,
    );
  }
  if (messages.length > 0) throw new ScriptError(messages.join('\n'));
}

async function isTaken(port: number): Promise<boolean> {
  const codes = await Promise.all(LOOPBACK.map((host) => tryListening(host, port)));
  return codes.includes('EADDRINUSE');
}

async function tryListening(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
  server.close();
  await once(server, 'close');
  return undefined;
}
