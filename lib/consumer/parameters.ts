import { refuse } from '../contract/connector.ts';
import type { Shards } from '../contract/consumer-parameters.ts';
import { validate } from '../contract/validation.ts';
import type { Fault } from '../core/errors.ts';
import type { IngestConfig } from '../runtime/config.schema.ts';
import { RunSettings } from './run-settings.schema.ts';
import { shardNames } from './scope.ts';

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

/**
 * What a run is to do: what the invocation says; without `stream`, what the secret's `ingest` says; then the defaults.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` where parameters do not go together
 */
export function resolveParameters(given: Given, ingest: IngestConfig): Resolved {
  const isIngest = given.stream === undefined;
  const { stream, shards, group, ...settings } = {
    group: ingest.group,
    ...(isIngest && { ...ingest.consumer, stream: ingest.stream, shards: ingest.shards }),
    ...given,
  } as RunSettings & Given & { stream: string; group: string };
  const faults = validate(RunSettings, settings); // it fills in the defaults
  if (faults.length === 0) faults.push(...faultsOf(settings));
  if (faults.length > 0) throw refuse('stream', faults);
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
