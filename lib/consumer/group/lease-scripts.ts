import type { Reply } from '../../redis/redis.ts';
import { Script } from '../../redis/script.ts';
import acquire from './scripts/acquire.lua';
import ask from './scripts/ask.lua';
import release from './scripts/release.lua';
import renew from './scripts/renew.lua';
import rest from './scripts/rest.lua';
import status from './scripts/status.lua';
import withdraw from './scripts/withdraw.lua';

/*
 * Atomic changes of the lease. They may run while the server is out of memory: a lease has a hundred bytes.
 */
const text = (reply: Reply) => reply as string;

export const statusScript = new Script(
  status,
  (reply) =>
    reply as [
      string,
      string,
      string | null,
      string | null,
      string | null,
      string,
      string,
      string,
      string | null,
      string | null,
    ],
);

export const acquireScript = new Script(acquire, (reply) => reply as [string, string, string, string, string, string]);

export const renewScript = new Script(renew, (reply) => reply as [string, string | null]);

export const askScript = new Script(ask, text);

export const withdrawScript = new Script(withdraw, text);

export const releaseScript = new Script(release, text);

export const restScript = new Script(rest, text);
