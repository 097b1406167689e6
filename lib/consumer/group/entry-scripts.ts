import type { ConnectorError } from '../../core/errors.ts';
import { mapRedisError } from '../../redis/errors.ts';
import { decodeEntries } from '../entry.ts';
import type { Buried } from './group.ts';
import { Script } from '../../redis/script.ts';
import ackNoted from './scripts/ack-noted.lua';
import bury from './scripts/bury.lua';
import claim from './scripts/claim.lua';
import end from './scripts/end.lua';
import forget from './scripts/forget.lua';
import giveBack from './scripts/give-back.lua';
import level from './scripts/level.lua';
import listPending from './scripts/list-pending.lua';
import restore from './scripts/restore.lua';
import survived from './scripts/survived.lua';
import sweep from './scripts/sweep.lua';
import trim from './scripts/trim.lua';

/*
 * Atomic changes of a group's entries. All scripts but the one that writes dead letters may run while the server is out
 * of memory: they free memory, and write little.
 */

export const listPendingScript = new Script(listPending, (reply) => reply as [string, (string | null)[][]]);

export const claimScript = new Script(claim, decodeEntries, { asBytes: 'not-utf8' });

export const giveBackScript = new Script(giveBack, (reply) => reply as string[]);

export const endScript = new Script(end, (reply) => reply as [string, string[]]);

export const sweepScript = new Script(sweep, String);

export const forgetScript = new Script(forget, Number);

export const survivedScript = new Script(survived, String);

/** Sent again with its text, it could come after the acknowledgement of the second delivery. */
export const restoreScript = new Script(restore, String, { carriesText: true });

export const ackNotedScript = new Script(ackNoted, String);

export const buryScript: Script<(Buried | ConnectorError)[]> = new Script(bury, (reply) =>
  (reply as unknown[]).map((result) =>
    typeof result === 'string' ? (result as Buried) : mapRedisError(result, { script: bury }),
  ),
);

export const trimScript = new Script(
  trim,
  (reply) => (reply as string[]).map(Number) as [isLast: number, deleted: number],
);

export const levelScript = new Script(level, String);
