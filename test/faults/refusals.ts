import { setTimeout as sleep } from 'node:timers/promises';

type Send = <T>(key: string, ...args: string[]) => Promise<T>;

/** More than any world has. */
const MOST_CLIENTS = '1000';
/** Lua has no clock that goes on during a script of Redis 7. */
const SLOW = 'for _ = 1, ARGV[1] do end';
/** About. */
const TURNS_PER_MS = 100_000;

/** Redis has too few replicas, and refuses writes for so long. */
export async function refuseWrites(send: Send, ms: number): Promise<void> {
  await send('', 'CONFIG', 'SET', 'min-replicas-to-write', '1');
  await sleep(ms);
  await send('', 'CONFIG', 'SET', 'min-replicas-to-write', '0');
}

/** Redis has too many clients, and refuses new connections for so long. */
export async function refuseConnections(send: Send, ms: number): Promise<void> {
  await send('', 'CONFIG', 'SET', 'maxclients', '1');
  await sleep(ms);
  await send('', 'CONFIG', 'SET', 'maxclients', MOST_CLIENTS);
}

/** A script of somebody else takes about so long, and Redis refuses all other commands. */
export async function runSlowScript(send: Send, ms: number): Promise<void> {
  await send('', 'CONFIG', 'SET', 'busy-reply-threshold', '20');
  await send('', 'EVAL', SLOW, '0', `${ms * TURNS_PER_MS}`);
}
