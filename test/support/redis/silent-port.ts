import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

/** Listens and accepts nothing: its thread is blocked from then on. */
const PROGRAM = `
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  require('node:fs').writeSync(1, String(server.address().port));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;
/** More than its queue holds. */
const WAITING = 4;

/** A port that neither accepts nor refuses connections, as behind a firewall that drops packets. */
export async function startSilentPort(): Promise<{ url: string; close(): void }> {
  const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const waiting = Array.from({ length: WAITING }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
  return {
    url: `http://127.0.0.1:${Number(port)}`,
    close() {
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
