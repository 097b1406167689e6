import type { Clock } from './clock.ts';
import type { Group } from './group/group.ts';
import type { Lanes } from './lanes.ts';
import type { Outbox } from './outbox.ts';
import type { Counts } from './report.ts';
import type { Settings } from './settings.ts';
import type { Target } from './targets/target.ts';

/** What taking entries in needs. */
export interface IntakeParts {
  group: Group;
  lanes: Lanes;
  outbox: Outbox;
  target: Target;
  settings: Settings;
  counts: Counts;
  clock: Clock;
  /** What bodies take in all shards together. */
  bodies: { bytes: number };
}
