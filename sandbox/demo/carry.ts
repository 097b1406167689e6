import { setTimeout as wait } from 'node:timers/promises';
import { BROKEN, type StreamPosition } from './broken.ts';
import type { CityRecord } from '../stack/city.ts';
import {
  chooseChanges,
  enqueueAndDelete,
  enqueueAndReplace,
  findSource,
  openChanges,
  type Changes,
} from './changes.ts';
import { isExample, submitExamples } from './examples.ts';
import { readDeadLetters } from './dead-letters.ts';
import { invoke } from '../stack/lambda.ts';
import type { ShowProgress } from './progress.ts';
import { GROUP } from '../stack/names.ts';
import type { Stack } from '../stack/stack.ts';

/** Concurrent calls. More would only queue: the local stack has one thread. */
const CALLERS = 16;
const POLL_MS = 200;
/** Time without progress after which missing records count as lost. */
const PATIENCE_MS = 30_000;

export interface Carried {
  /** Stream and id of each broken record, in the order of `BROKEN`. */
  broken: StreamPosition[];
  changes: Changes;
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
  const changes = chooseChanges(others);
  const deletes = new Set<string>();
  let enqueued = examples.length;
  let open = 0;
  let carried = 0;
  let movedAt = startedAt;

  const broken: StreamPosition[] = [];
  const sendBroken = async () => {
    for (const record of BROKEN) {
      broken.push(await record.send(stack.post, stack.shards[0]!));
      enqueued++;
    }
  };
  const sendCities = async () => {
    await inParallel(others, async (city) => {
      if (changes.replaced.includes(city)) await enqueueAndReplace(stack.post, city);
      else await stack.post('/mdm/source-enqueue', city);
      enqueued++;
    });
    await inParallel(changes.deleted, (city) => enqueueAndDelete(stack.post, city));
  };
  const countCarried = async () => {
    const letters = await readDeadLetters(stack.post, stack.shards);
    const { records, requests } = stack.mdm;
    for (const { method, url } of requests) if (method === 'DELETE') deletes.add(url);
    const before = open;
    open = openChanges(records, changes).length + changes.deleted.length - deletes.size;
    const duplicates = changes.deleted.filter((city) => findSource(records, city)).length;
    const now = records.allSources('c360.city').length - duplicates + letters.length;
    if (now !== carried || open !== before || enqueued < total) movedAt = performance.now();
    carried = now;
    show(enqueued, carried);
  };
  const isCarried = () => enqueued >= total && carried >= total && open === 0;
  const isOver = () => isCarried() || performance.now() - movedAt > PATIENCE_MS;
  const consume = async (stream: string) => {
    while (!isOver()) {
      await invoke(stack.lambdaPort, 'stream-consumer', JSON.stringify({ stream, group: GROUP }));
      await wait(POLL_MS);
    }
  };
  const watch = async () => {
    while (!isOver()) {
      await countCarried();
      await wait(POLL_MS);
    }
  };
  await submitExamples(stack.post, examples);
  await Promise.all([sendBroken(), sendCities(), watch(), ...stack.shards.map(consume)]);
  return { broken, changes, seconds: (movedAt - startedAt) / 1000 };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const caller = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}
