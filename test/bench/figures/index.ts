import type { Figure } from '../figure.ts';
import { batches } from './batches.ts';
import { coldStart } from './cold-start.ts';
import { consumerLatency } from './consumer-latency.ts';
import { deadLetters } from './dead-letters.ts';
import { engine } from './engine.ts';
import { exactJson } from './exact-json.ts';
import { growthKeys } from './growth-keys.ts';
import { growthPending } from './growth-pending.ts';
import { growthShards } from './growth-shards.ts';
import { growthXadd } from './growth-xadd.ts';
import { heap } from './heap.ts';
import { logins } from './logins.ts';
import { longestScript } from './longest-script.ts';
import { memory } from './memory.ts';
import { memoryWall } from './memory-wall.ts';
import { runs } from './runs.ts';
import { wake } from './wake.ts';
import { warmMasterRead } from './warm-master-read.ts';
import { warmXadd } from './warm-xadd.ts';
import { xrange } from './xrange.ts';
import { zipSize } from './zip-size.ts';

/** All figures, in the order of the table. */
export const figures: readonly Figure[] = [
  coldStart,
  zipSize,
  warmXadd,
  warmMasterRead,
  xrange,
  memoryWall,
  consumerLatency,
  engine,
  deadLetters,
  wake,
  batches,
  runs,
  exactJson,
  growthXadd,
  growthPending,
  growthShards,
  growthKeys,
  longestScript,
  logins,
  memory,
  heap,
];
