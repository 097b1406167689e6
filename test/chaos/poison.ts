import type { BadKeys } from './ledger-mdm.ts';
import { onOneServer, type Scenario, type Size } from './play.ts';

/*
 * Keys that never succeed, beside others: the others must get through at a floor of their pace; then all heals, and
 * nothing is lost. A few stand in front of the stream, where nothing has succeeded yet. A block of more than the breaker
 * allows looks like an outage, and is crossed at 1, 2, 4, … keys a rest; so a thousand are spread between the others.
 */

/** When the connector gives up a call that hangs, in milliseconds. */
const TIMEOUT_MS = 300;
const CONCURRENCY = 20;
/** Others that must get through each second at least; on a quiet machine it is about a thousand. */
const PER_SECOND = 100;
/** Back-offs from 50 ms on, doubled: a key is tried no more often than this in a minute. */
const TRIES = 12;

interface Kind {
  how: BadKeys;
  name: string;
}

const KINDS: Kind[] = [
  { how: 500, name: 'answer 500' },
  { how: 503, name: 'answer 503' },
  { how: 'hang', name: 'hang' },
  { how: 422, name: 'answer 422' },
];

/** Seconds that the first attempts, and the rests of the breaker, may keep the others waiting. */
function delayOf(count: number, how: BadKeys, place: 'front' | 'between'): number {
  const firstAttempts = how === 'hang' ? (count * TIMEOUT_MS) / CONCURRENCY / 1000 : 0;
  if (place === 'between') return 10 + 2 * firstAttempts;
  // 1 + 2 + 4 + … seconds, one more for each doubling of the probes
  return count <= CONCURRENCY ? 8 : 2 ** (Math.ceil(Math.log2(count / CONCURRENCY)) + 4) + firstAttempts;
}

function poison(count: (size: Size) => number, { how }: Kind, place: 'front' | 'between'): Scenario {
  const entriesOf = (size: Size) => (place === 'front' ? Math.ceil(size.entries / 4) : size.entries);
  const options = (size: Size) => {
    return { bad: { count: count(size), place, how }, entries: entriesOf(size), timeoutMs: TIMEOUT_MS };
  };
  return onOneServer(
    options,
    async ({ world, size }) => {
      world.mdm.badKeys = how;
      const ms = await world.othersTaken(/^bad/);
      const most = delayOf(count(size), how, place) + entriesOf(size) / PER_SECOND;
      if (ms > most * 1000) {
        world.ledger.faults.push(`the others took ${(ms / 1000).toFixed(1)} s, at most ${most.toFixed(1)}`);
      }
      if (how !== 422) world.mdm.badKeys = undefined;
      const { badAttempts } = world.mdm;
      const mostTries = count(size) * TRIES;
      if (badAttempts > mostTries) {
        world.ledger.faults.push(`the bad keys were tried ${badAttempts} times, at most ${mostTries}`);
      }
      return {};
    },
    (size) => ({
      runs: 30 + delayOf(count(size), how, place),
      attempts: 1.1 + (count(size) * TRIES) / entriesOf(size),
      seconds: delayOf(count(size), how, place) + entriesOf(size) / PER_SECOND + 60, // failed ones wait up to a minute
    }),
  );
}

export const poisonScenarios: Record<string, Scenario> = Object.fromEntries(
  KINDS.flatMap((kind) => [
    ...[1, 5, 50].map((count): [string, Scenario] => {
      return [`${count} ${count === 1 ? 'key' : 'keys'} ${kind.name}`, poison(() => count, kind, 'front')];
    }),
    [`1,000 keys ${kind.name} among others`, poison(({ badKeys }) => badKeys, kind, 'between')],
  ]),
);
