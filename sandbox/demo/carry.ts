import { setTimeout as wait } from 'node:timers/promises';
import { BROKEN, type Place } from './broken.ts';
import type { CityRecord } from '../stack/city.ts';
import { isExample, submitExamples } from './examples.ts';
import { readDeadLetters } from './dead-letters.ts';
import { invoke } from '../stack/lambda.ts';
import type { ShowProgress } from './progress.ts';
import { GROUP } from '../stack/names.ts';
import type { Stack } from '../stack/stack.ts';

/** Concurrent calls. More would only queue: the local stack has one thread. */
const CALLERS = 16;
const LOOK_EVERY_MS = 200;
/** Time without progress after which missing records count as lost. */
const PATIENCE_MS = 30_000;

export interface Carried {
  /** Stream and id of each broken record, in the order of `BROKEN`. */
  broken: Place[];
  /** Duration from the first call to the last arrival. */
  seconds: number;
}

/**
 * Carries records over HTTP onto the stream, and with the consumer into the MDM; first those of the examples, each with
 * its own call. Ends when every record is in the MDM or a dead letter, or when nothing moves any more.
 */
export async function carry(stack: Stack, cities: CityRecord[], show: ShowProgress): Promise<Carried> {
  const startedAt = performance.now();
  const total = cities.length + BROKEN.length;
  const { examples = [], others = [] } = Object.groupBy(cities, (city) => (isExample(city) ? 'examples' : 'others'));
  let enqueued = examples.length;
  let carried = 0;
  let movedAt = startedAt;

  const broken: Place[] = [];
  const sendBroken = async () => {
    for (const record of BROKEN) {
      broken.push(await record.send(stack.post, stack.shards[0]!));
      enqueued++;
    }
  };
  const sendCities = async () => {
    await inParallel(others, async (city) => {
      await stack.post('/mdm/source-enqueue', city);
      enqueued++;
    });
  };
  const look = async () => {
    const letters = await readDeadLetters(stack.post, stack.shards);
    const now = stack.mdm.records.allSources('c360.city').length + letters.length;
    if (now !== carried || enqueued < total) movedAt = performance.now();
    carried = now;
    show(enqueued, carried);
  };
  const isOver = () => carried >= total || performance.now() - movedAt > PATIENCE_MS;
  const consume = async (stream: string) => {
    while (!isOver()) {
      await invoke(stack.lambdaPort, 'stream-consumer', JSON.stringify({ stream, group: GROUP }));
      await wait(LOOK_EVERY_MS);
    }
  };
  const watch = async () => {
    while (!isOver()) {
      await look();
      await wait(LOOK_EVERY_MS);
    }
  };
  await submitExamples(stack.post, examples);
  await Promise.all([sendBroken(), sendCities(), watch(), ...stack.shards.map(consume)]);
  return { broken, seconds: (movedAt - startedAt) / 1000 };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const caller = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}
