import { describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { createLog } from '#lib/core/log.ts';
import { delayAfter } from '#lib/consumer/window/pending-entry.ts';
import { consume } from '#lib/consumer/consume.ts';
import { fieldOf } from '#lib/consumer/entry.ts';
import { TargetFailure, type FailureKind } from '#lib/consumer/targets/failure.ts';
import { MemoryGroup, MemoryStream } from '../../support/consumer/memory-group.ts';
import { VirtualTime } from '../../support/consumer/virtual-time.ts';

type Report = Awaited<ReturnType<typeof consume>>['report'];

/** The outcomes of an entry's attempts in order; later attempts succeed. */
interface Plan {
  key: string;
  outcomes: FailureKind[];
}

/** What became of the entries of a key, in order: `3 taken`, `3 own`, `3 buried`. */
type History = Map<string, string[]>;

const SETTINGS = {
  maxDeliveries: 3,
  backoffMs: 10,
  leaseMs: 500,
  trim: false,
  budgetMs: 200_000,
  refusalLimit: 0,
  lingerMs: 0,
  bodyBytes: 1e6,
  viewLimit: 1000,
};

/** The consumer as simple as it can be said: key by key, entry by entry, attempt by attempt. */
function model(plans: readonly Plan[]): History {
  const history: History = new Map();
  plans.forEach(({ key, outcomes }, entry) => {
    const lines = history.get(key) ?? [];
    history.set(key, lines);
    for (let [attempt, own] = [0, 0]; ; attempt++) {
      const outcome = outcomes[attempt];
      if (outcome === 'own') own++;
      lines.push(`${entry} ${outcome ?? 'taken'}`);
      const isLast = outcome === 'permanent' || (outcome === 'own' && own >= SETTINGS.maxDeliveries);
      if (isLast) lines.push(`${entry} buried`);
      if (isLast || outcome === undefined) return;
    }
  });
  return history;
}

/** Where a run is killed: with its n-th word to the server, which still hears it or does not. */
interface Crash {
  atCall: number;
  isHeard: boolean;
}

interface Options {
  batchSize: number;
  concurrency: number;
  crashes: Crash[];
  /** After this many runs the target is healthy: the next run must leave nothing due, in any state. */
  healthyAfter?: number;
}

const never = new Promise<never>(() => {});

/** Of each key, the pending entry that the others of it wait for, where it is due: a run that drained left none. */
function dueHeads({ pending, failures }: MemoryStream, now: number): string[] {
  const heads = new Map<string, string>();
  for (const [id, { entry }] of pending) {
    const key = fieldOf(entry, 'key')!;
    if (!heads.has(key)) heads.set(key, id);
  }
  const dueAt = (id: string) => {
    const { deliveries, deliveredAt } = pending.get(id)!;
    return failures.get(id)?.dueAt ?? deliveredAt + delayAfter(deliveries, SETTINGS.backoffMs);
  };
  return [...heads.values()].filter((id) => dueAt(id) <= now);
}

/** A run's calls of Redis, the last of which is the one at which it crashes. */
function connection(time: VirtualTime, clock: ReturnType<VirtualTime['clock']>, crash: Crash | undefined) {
  const died = Promise.withResolvers<undefined>();
  let calls = 0;
  const isDead = () => crash !== undefined && calls >= crash.atCall;
  const call = async <T>(act: () => T): Promise<T> => {
    if (isDead()) return never;
    calls++;
    if (isDead()) {
      clock.stop();
      died.resolve(undefined);
      if (!crash!.isHeard) return never;
    }
    await time.sleep(1);
    const reply = act();
    return isDead() ? never : reply;
  };
  return { call, isDead, died: died.promise };
}

/** Numbers the attempts of each entry, and says how each should end. */
function attemptsOf(plans: readonly Plan[]) {
  const attempts = new Map<string, number>();
  return (entry: string) => {
    const attempt = attempts.get(entry) ?? 0;
    attempts.set(entry, attempt + 1);
    return { attempt, planned: plans[Number(entry)]!.outcomes[attempt] };
  };
}

/** A run accounts for every entry, and leaves nothing that it could have done if it ends drained or failing. */
function expectSoundEnd(stream: MemoryStream, now: number, pendingBefore: number, report: Report): void {
  const { read, processed, deadLettered, deleted, pending, stoppedBecause } = report;
  expect(pendingBefore + read).toBe(processed + deadLettered + deleted + pending);
  expect(['drained', 'failing', 'upstream-unavailable', 'lease-held']).toContain(stoppedBecause);
  if (!['drained', 'failing'].includes(stoppedBecause)) return;
  expect({ due: dueHeads(stream, now), unread: stream.entries.length - stream.next }).toEqual({ due: [], unread: 0 });
}

function expectDrained(stream: MemoryStream, report: { stoppedBecause: string } | undefined): void {
  const left = { pending: stream.pending.size, unread: stream.entries.length - stream.next };
  expect({ ...left, stoppedBecause: report?.stoppedBecause }).toEqual({
    pending: 0,
    unread: 0,
    stoppedBecause: 'drained',
  });
}

/** The engine itself, run after run until nothing is left. */
async function play(plans: readonly Plan[], options: Options): Promise<{ history: History; stream: MemoryStream }> {
  const time = new VirtualTime();
  const stream = new MemoryStream();
  const history: History = new Map();
  const nextAttempt = attemptsOf(plans);
  plans.forEach(({ key }, entry) => void stream.add(0, 'key', key, 'entry', String(entry)));
  const note = (key: string, line: string) => history.set(key, [...(history.get(key) ?? []), line]);

  let isHealthy = false;
  const run = (crash: Crash | undefined) => {
    const clock = time.clock();
    const { call, isDead, died } = connection(time, clock, crash);
    const process = async (key: string, entry: string) => {
      if (isDead()) return never;
      const { attempt, planned } = nextAttempt(entry);
      const outcome = isHealthy ? undefined : planned;
      await time.sleep(1 + ((Number(entry) * 7 + attempt) % 5));
      note(key, `${entry} ${outcome ?? 'taken'}`); // what was on its way arrives, even from a run that is dead
      if (isDead()) return never;
      if (outcome) throw new TargetFailure(outcome, 'TEST', 'as planned');
    };
    const target = {
      keyFields: ['key'],
      process: (entry: Parameters<typeof fieldOf>[0]) => process(fieldOf(entry, 'key')!, fieldOf(entry, 'entry')!),
    };
    const group = new MemoryGroup(stream, clock, SETTINGS.leaseMs, call);
    const bury = group.bury.bind(group);
    group.bury = async (burials) => {
      const entries = burials.map(({ letter }) => stream.pending.get(letter.sourceId)!.entry.fields);
      const buried = await bury(burials);
      for (const [, key, , entry] of entries) note(key!, `${entry} buried`);
      return buried;
    };
    const settings = { ...SETTINGS, batchSize: options.batchSize, concurrency: options.concurrency };
    const log = createLog('error', {}, () => {});
    return Promise.race([consume({ shards: [{ stream: 's', group }], target, settings, log, clock }), died]);
  };

  for (let round = 0; round < 200; round++) {
    isHealthy = round >= (options.healthyAfter ?? Infinity);
    if (isHealthy) await time.until(time.sleep(Math.max(0, stream.restUntil - time.now)));
    const pendingBefore = stream.pending.size;
    const ended = await time.until(run(isHealthy ? undefined : options.crashes[round]));
    if (ended) expectSoundEnd(stream, time.now, pendingBefore, ended.report);
    if (isHealthy) expectDrained(stream, ended?.report);
    if (stream.next === stream.entries.length && stream.pending.size === 0) return { history, stream };
    await time.until(time.sleep(ended && round % 2 === 0 ? 1 : SETTINGS.leaseMs));
  }
  throw new Error('Not done after 200 runs');
}

/** The place of an entry among the plans: ids count from 1. */
const placeOf = (id: string) => Number(id.split('-')[1]) - 1;

const failures = fc.array(fc.constantFrom<FailureKind>('own', 'outage', 'permanent'), { maxLength: 6 });
const plan = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 4 }), failures)
  .map(([key, chance, outcomes]): Plan => ({ key, outcomes: chance === 1 ? outcomes : [] }));
const plans = fc.array(plan, { minLength: 1, maxLength: 60, size: 'max' });
const sizes = { batchSize: fc.integer({ min: 1, max: 20 }), concurrency: fc.integer({ min: 1, max: 8 }) };
const crash = fc.record({ atCall: fc.integer({ min: 1, max: 25 }), isHeard: fc.boolean() });

describe('the engine', () => {
  it('the engine treats each key as the model does', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.record(sizes), async (plans, options) => {
        const { history } = await play(plans, { ...options, crashes: [] });

        expect(history).toEqual(model(plans));
      }),
      { numRuns: 150 },
    );
  });

  it('one run with a healthy target leaves nothing due, in any state that earlier runs left', async () => {
    const scenario = fc.record({
      ...sizes,
      crashes: fc.array(crash, { maxLength: 8 }),
      healthyAfter: fc.integer({ min: 0, max: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(plans, scenario, async (plans, options) => {
        const { stream } = await play(plans, options);

        expect(stream.pending.size).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it('the engine keeps its promises wherever its runs are killed', async () => {
    const scenario = fc.record({ ...sizes, crashes: fc.array(crash, { maxLength: 20, size: 'max' }) });
    await fc.assert(
      fc.asyncProperty(plans, scenario, async (plans, options) => {
        const { history, stream } = await play(plans, options);

        for (const lines of history.values()) {
          const order = lines.map((line) => Number(line.split(' ')[0]));
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        }
        const ended = new Set(
          [...history.values()]
            .flat()
            .filter((line) => /taken|buried/.test(line))
            .map((line) => line.split(' ')[0]),
        );
        const dead = stream.deadLetters.map(({ sourceId }) => placeOf(sourceId));
        expect(new Set([...[...ended].map(Number), ...dead]).size).toBe(plans.length);
        expect(new Set(dead).size).toBe(dead.length);
        for (const { sourceId, errorType } of stream.deadLetters) {
          const isWhole = plans[placeOf(sourceId)]!.outcomes.length === 0;
          if (isWhole) expect(errorType).toBe('CONNECTOR:CRASH'); // alone in three runs that were killed
        }
      }),
      { numRuns: 150 },
    );
  });
});
