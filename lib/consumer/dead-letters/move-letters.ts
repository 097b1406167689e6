import type { Command, Reply } from '../../redis/redis.ts';
import { defineScript } from '../../redis/script.ts';
import { decodeListed, type ListedRow } from './listing.ts';
import { MAX_NOTES } from './notes.ts';
import move from './scripts/move.lua';

/** Maximum letters, and bytes of them, that one script moves. A larger letter is moved by itself. */
export const BATCH = { letters: 100, bytes: 96 * 1024 };

export interface MoveArguments {
  /** The caller knows the waiting entries of the stream up to here. */
  after: string;
  keyFields: readonly string[];
  /** Whether the consumer noted them. If not, the key of an entry without any of them is unknown. */
  isKeyNoted: boolean;
  /** The letter's own fields. */
  ownFields: readonly string[];
  letters: readonly { id: string; sourceId: string; age: string; note: string }[];
  force: boolean;
  dryRun: boolean;
}

/** `missing`: another redrive was faster; `unsendable`: only its own fields, or too many for a script. */
export type MoveResult = 'moved' | 'listed' | 'superseded' | 'missing' | 'unsendable';

export interface Moved {
  readonly state: 'moved' | 'behind' | 'full';
  readonly after: string;
  readonly arrivals: readonly ListedRow[];
  /** One per letter, in order; fewer if the stream refused one. */
  readonly results: readonly { result: MoveResult; id: string }[];
  /** Letters that the dead-letter stream holds now. */
  readonly left: number;
}

const moveScript = defineScript(move, decodeMoved);

export function moveCommand(keys: readonly string[], parameters: MoveArguments): Command<Moved> {
  return moveScript(keys, [JSON.stringify({ ...parameters, maxNotes: MAX_NOTES })]);
}

function decodeMoved(reply: Reply): Moved {
  const [state, after, arrivals, results, left] = reply as [
    Moved['state'],
    string,
    Reply,
    [MoveResult, string][],
    string,
  ];
  const moved = { state, after, arrivals: decodeListed(arrivals), left: Number(left) };
  return { ...moved, results: results.map(([result, id]) => ({ result, id })) };
}
