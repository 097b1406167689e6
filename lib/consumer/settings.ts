import { refuse } from '../contract/refusals.ts';
import type { Shards } from '../contract/parameters/consumer.ts';
import { validate } from '../contract/validation.ts';
import { configurationError, type ConnectorError, type Fault } from '../core/errors.ts';
import type { IngestConfig } from '../config/config.schema.ts';
import { shardNames } from './scope.ts';
import { RunSettings } from './settings.schema.ts';

/** Parameters that say where a run works, instead of how. */
type RoutingParameter = 'target' | 'startId' | 'keyField' | 'targetBatchSize';

/** How a run works: the settings of `stream-consumer`, and the limits of its invocation. */
export interface Settings extends Omit<RunSettings, RoutingParameter> {
  /** Time of the run, in milliseconds. */
  budgetMs: number;
  /** Maximum bytes of loaded bodies. */
  bodyBytes: number;
  /**
   * Maximum known entries per shard, most of them without their bodies. With more pending, the run reads nothing new.
   */
  viewLimit: number;
  /** How long a run without work waits for a shard of another run, in milliseconds. Default: two seconds. */
  waitMs?: number;
}

/** The ids and keys of this many entries take about 60 MB. */
export const VIEW_LIMIT = 250_000;

/** A quarter of the function's memory. */
const bodyBytesOf = (memoryMb: number): number => (memoryMb * 2 ** 20) / 4;

/** Settings, and the limits of the invocation: a run may take all the remaining time, in milliseconds. */
export const settingsWithin = <T extends object>(settings: T, budgetMs: number, memoryMb: number) => {
  return { ...settings, budgetMs, bodyBytes: bodyBytesOf(memoryMb), viewLimit: VIEW_LIMIT };
};

/** The parameters of an invocation. */
export type RequestedParameters = Partial<RunSettings> & Shards;

/** The resolved parameters of a run. */
export type ResolvedParameters = RunSettings & {
  /** The name in reports: that of the one shard, or the base name of several. */
  stream: string;
  /** The full names of the shards. */
  streams: string[];
  group: string;
  deadLetterStream?: string;
  /** Age after which dead letters are deleted, in milliseconds; only by the secret. */
  deadLetterMaxAgeMs?: number;
};

/** Turns faults of settings into an error: the caller's, or the secret's if the settings come from there. */
export type RefuseSettings = (faults: readonly Fault[]) => ConnectorError;

/** Decides who is at fault for conflicting settings. Callers who give a target are responsible for its settings. */
export function settingsRefusal(requested: RequestedParameters, configRef: string): RefuseSettings {
  return (faults) => {
    const isFromInvocation = ({ pointer }: Fault) => pointer.slice(1) in requested;
    if (requested.stream !== undefined || requested.target !== undefined || faults.some(isFromInvocation))
      return refuse('stream', faults);
    const secretFaults = faults.map(({ pointer, message }) => ({ pointer: `/ingest/consumer${pointer}`, message }));
    return configurationError(`The secret of configRef ${configRef}`, secretFaults);
  };
}

/**
 * Resolves the parameters of a run: those of the invocation; without `stream`, those of the secret's `ingest`; then the
 * defaults.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for conflicting parameters, `CONNECTOR:CONFIGURATION` if the secret's
 *   conflict
 */
export function resolveParameters(
  requested: RequestedParameters,
  ingest: IngestConfig,
  refuseSettings: RefuseSettings,
): ResolvedParameters {
  const isIngest = requested.stream === undefined;
  const { stream, shards, group, ...settings } = {
    group: ingest.group,
    ...(isIngest && { ...ingest.consumer, stream: ingest.stream, shards: ingest.shards }),
    ...requested,
  } as RunSettings & RequestedParameters & { stream: string; group: string };
  const faults = validate(RunSettings, settings); // it fills in the defaults
  if (faults.length === 0) faults.push(...faultsOf(settings));
  if (faults.length > 0) throw refuseSettings(faults);
  const streams = shards === undefined ? [stream] : shardNames(stream, shards);
  const { deadLetterMaxAgeMs } = isIngest ? ingest : {};
  return { ...settings, stream, streams, group, deadLetterMaxAgeMs };
}

function faultsOf({ target, keyField, targetBatchSize }: RunSettings): Fault[] {
  if (target !== 'source-submit') return [];
  const message = 'is for Lambda targets only';
  return [
    ...(keyField === undefined ? [] : [{ pointer: '/keyField', message }]),
    ...(targetBatchSize === 1 ? [] : [{ pointer: '/targetBatchSize', message }]),
  ];
}
