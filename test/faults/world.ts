/**
 * The settings of a world, and what goes wrong in it: plain data. A seed says it all (`draw-world.ts`); `play.ts` plays
 * it.
 */
export interface World {
  readonly seed: number;
  /** Concurrent runs that the schedule invokes, each in its own container. */
  readonly runs: number;
  /** Each container's share of a core. */
  readonly share: number;
  readonly shards: number;
  readonly entries: number;
  readonly keys: number;
  /** Bytes that fill up an entry: of most, and of one in twenty. */
  readonly bytes: readonly [usual: number, large: number];
  /** Entries a second that producers add; undefined: all are there before the first run. */
  readonly addedPerSecond: number | undefined;
  /** How producers add: as any program, or by the functions that wake the consumer. */
  readonly isWoken: boolean;
  /** How many records those functions enqueue in one call, at most. */
  readonly enqueuedTogether: number;
  /** Whether a second group reads the streams, slowly. The consumer trims them. */
  readonly hasSlowGroup: boolean;
  /** Whether a topic is told of dead letters. */
  readonly hasTopic: boolean;
  /** Whether the containers share their session with the MDM. */
  readonly sharesSession: boolean;
  /** How far the clocks of containers are ahead, one after the other; empty: they are right. */
  readonly clocksAheadMs: readonly number[];
  readonly scheduleMs: number;
  readonly invocationMs: number;
  readonly redis: 'server' | 'sentinel' | 'cluster';
  /** What the way to Redis takes each way. */
  readonly linkMs: number;
  readonly target: TargetSettings;
  /** Settings of the consumer, `ingest.consumer` of the secret. */
  readonly consumer: Readonly<Record<string, number | boolean | string>>;
  readonly troubles: readonly Trouble[];
}

export interface TargetSettings {
  readonly kind: 'mdm' | 'lambda';
  readonly latencyMs: number;
  /** For a Lambda: whether entries have a key, or a whole shard is one. */
  readonly isKeyed: boolean;
  readonly batchSize: number;
  /** How often an attempt ends so, 0 to 1. */
  readonly fails: Readonly<Record<Failing, number>>;
  /** Of the entries, those that can never succeed, 0 to 1. */
  readonly hopeless: number;
}

/** How the target treats an attempt: `loses`: takes it, and ends the connection in place of the response. */
export const FAILINGS = ['own', 'outage', 'throttle', 'reset', 'loses', 'hangs', 'forbidden', 'partial'] as const;
export type Failing = (typeof FAILINGS)[number];

export interface Trouble {
  /** Its kind, in `troubles.ts`. */
  readonly name: string;
  /** It comes when the target has this part of the entries, 0 to 1. */
  readonly at: number;
  /** What its kind makes of them is in `troubles.ts`. Each 0 to 1. */
  readonly size: number;
  readonly which: number;
}

/** Whether nothing goes wrong in it: then nothing may fail, and nothing is done twice. */
export const isCalm = ({ troubles, target }: World): boolean =>
  troubles.length === 0 && Object.values(target.fails).every((share) => share === 0);

/** The smallest share that a consumer is deployed with, at 512 MB. */
const LEAST_SHARE = 0.29;

/** How many times longer all takes at this share of a core than at the smallest that a consumer is deployed with. */
export const slownessOf = (share: number): number => Math.max(1, LEAST_SHARE / share);
