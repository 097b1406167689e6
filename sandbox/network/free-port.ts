import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Systems give none of these to outgoing connections, so one that is free is still free when it is used. */
const [LOWEST, ABOVE] = [10_000, 32_000];
/**
 * One file for each port that was given: its server may not listen yet, and other processes start servers too. A
 * folder of each user, because nobody can write to that of another.
 */
const GIVEN = join(tmpdir(), `mdm-stream-ports-${process.getuid?.()}`);
/** How long a port is given to nobody else. */
const GIVEN_MS = 60_000;

/** A free port on loopback, which no other process is given within a minute. */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, ABOVE);
  return claim(port) && (await isFree(port)) ? port : freePort();
}

function claim(port: number): boolean {
  const file = join(GIVEN, String(port));
  const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (Date.now() - mtimeMs < GIVEN_MS) return false;
  try {
    mkdirSync(GIVEN, { recursive: true });
    rmSync(file, { force: true });
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
