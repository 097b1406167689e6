import type { Figure } from '../figure.ts';
import { bundleSize } from './bundle-size.ts';
import { coldStart } from './cold-start.ts';
import { consumerLatency } from './consumer-latency.ts';
import { deadLetters } from './dead-letters.ts';
import { engine } from './engine.ts';
import { enqueueBatch } from './enqueue-batch.ts';
import { exactJson } from './exact-json.ts';
import { growthKeys } from './growth-keys.ts';
import { growthPending } from './growth-pending.ts';
import { growthXadd } from './growth-xadd.ts';
import { heap } from './heap.ts';
import { logins } from './logins.ts';
import { memory } from './memory.ts';
import { warmMasterRead } from './warm-master-read.ts';
import { warmXadd } from './warm-xadd.ts';

/** All figures, in the order of the table. */
export const figures: readonly Figure[] = [
  coldStart,
  bundleSize,
  warmXadd,
  warmMasterRead,
  consumerLatency,
  engine,
  deadLetters,
  enqueueBatch,
  exactJson,
  growthXadd,
  growthPending,
  growthKeys,
  logins,
  memory,
  heap,
];
