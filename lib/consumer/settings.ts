import { refuse } from '../contract/connector.ts';
import type { Shards } from '../contract/parameters/consumer.ts';
import { validate } from '../contract/validation.ts';
import { configurationError, type ConnectorError, type Fault } from '../core/errors.ts';
import type { IngestConfig } from '../runtime/config.schema.ts';
import { shardNames } from './scope.ts';
import { RunSettings } from './settings.schema.ts';

/** Parameters that say where a run works, and not how. */
type Whereabouts = 'target' | 'startId' | 'keyField' | 'targetBatchSize';

/** How a run works: what the contract of `stream-consumer` describes, and what its surroundings allow. */
export interface Settings extends Omit<RunSettings, Whereabouts> {
  /** Time of the run, in milliseconds. */
  budgetMs: number;
  /** Most bytes that bodies in view may take. */
  bodyBytes: number;
  /** Entries kept in view a shard, most of them without their bodies. With more pending, nothing new is read. */
  viewLimit: number;
}

/** Ids and keys of so many entries take about 60 MB. */
export const VIEW_LIMIT = 250_000;

/** A quarter of the function's memory. */
export const bodyBytesOf = (memoryMb: number): number => (memoryMb * 2 ** 20) / 4;

/** What an invocation of the consumer may say. */
export type Given = Partial<RunSettings> & Shards;

/** What a run is to do. */
export type Resolved = RunSettings & {
  /** The name that the run reports under: of one shard its own, of several their base name. */
  stream: string;
  /** The shards, by their whole names. */
  streams: string[];
  group: string;
  deadLetterStream?: string;
};

/** Makes an error of faults of settings: one of the caller, or of the secret where the settings at fault are from there. */
export type RefuseSettings = (faults: readonly Fault[]) => ConnectorError;

/** Who is at fault where settings do not go together. With a target of their own, callers answer for what goes with it. */
export function settingsRefusal(given: Given, configRef: string): RefuseSettings {
  return (faults) => {
    const isGiven = ({ pointer }: Fault) => pointer.slice(1) in given;
    if (given.stream !== undefined || given.target !== undefined || faults.some(isGiven))
      return refuse('stream', faults);
    const ofSecret = faults.map(({ pointer, message }) => ({ pointer: `/ingest/consumer${pointer}`, message }));
    return configurationError(`The secret of configRef ${configRef}`, ofSecret);
  };
}

/**
 * What a run is to do: what the invocation says; without `stream`, what the secret's `ingest` says; then the defaults.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` where parameters do not go together, `CONNECTOR:CONFIGURATION` where those
 *   of the secret do not
 */
export function resolveParameters(given: Given, ingest: IngestConfig, refuseSettings: RefuseSettings): Resolved {
  const isIngest = given.stream === undefined;
  const { stream, shards, group, ...settings } = {
    group: ingest.group,
    ...(isIngest && { ...ingest.consumer, stream: ingest.stream, shards: ingest.shards }),
    ...given,
  } as RunSettings & Given & { stream: string; group: string };
  const faults = validate(RunSettings, settings); // it fills in the defaults
  if (faults.length === 0) faults.push(...faultsOf(settings));
  if (faults.length > 0) throw refuseSettings(faults);
  const streams = shards === undefined ? [stream] : shardNames(stream, shards);
  return { ...settings, stream, streams, group };
}

function faultsOf({ target, keyField, targetBatchSize }: RunSettings): Fault[] {
  if (target !== 'source-submit') return [];
  const message = 'is for Lambda targets only';
  return [
    ...(keyField === undefined ? [] : [{ pointer: '/keyField', message }]),
    ...(targetBatchSize === 1 ? [] : [{ pointer: '/targetBatchSize', message }]),
  ];
}
