import type { Figure } from '../figure.ts';
import { coldStart } from './cold-start.ts';
import { consumerLatency } from './consumer-latency.ts';
import { consumerShares } from './consumer-share.ts';
import { deadLetters } from './dead-letters.ts';
import { engine } from './engine.ts';
import { exactJson } from './exact-json.ts';
import { longestScript } from './longest-script.ts';
import { runs } from './runs.ts';
import { wake } from './wake.ts';
import { warmMasterRead } from './warm-master-read.ts';
import { warmXadd } from './warm-xadd.ts';
import { zipSize } from './zip-size.ts';

/** All figures, in the order of the table. */
export const figures: readonly Figure[] = [
  coldStart,
  zipSize,
  warmXadd,
  warmMasterRead,
  consumerLatency,
  ...consumerShares,
  engine,
  deadLetters,
  wake,
  runs,
  exactJson,
  longestScript,
];
