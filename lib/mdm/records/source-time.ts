import { refuse } from '../../contract/refusals.ts';
import type { SourceTime } from '../../contract/parameters/mdm.ts';
import { limitFaults } from '../../contract/validation.ts';
import type { MdmConfig } from '../../config/config.schema.ts';

type Json = Record<string, unknown>;
type Named = Pick<MdmConfig, 'sourceLastUpdated'>;

/** A record, and the query to send it with. */
interface Stamped {
  readonly record: Json;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Puts the source's time of a change where the configuration says that the API takes it.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` (400) for a time, if the configuration does not say where it travels
 */
export function stamp(config: Named, record: Json, time: SourceTime | undefined): Stamped {
  if (time === undefined) return { record, query: {} };
  refuseUnnamedTime(config, [{ time, pointer: '/sourceLastUpdated' }]);
  const epochMs = typeof time === 'number' ? time : Date.parse(time);
  const [carrier, name = ''] = config.sourceLastUpdated!.split(':');
  if (carrier === 'query') return { record, query: { [name]: String(epochMs) } };
  const { _meta } = record;
  const meta = typeof _meta === 'object' && !Array.isArray(_meta) ? (_meta as Json | null) : undefined;
  return { record: { ...record, _meta: { ...meta, [name]: epochMs } }, query: {} };
}

/** Refuses times of changes if the configuration does not say where they travel. */
export function refuseUnnamedTime(
  config: Named | undefined,
  times: readonly { readonly time?: SourceTime; readonly pointer: string }[],
): void {
  if (config?.sourceLastUpdated !== undefined) return;
  const message = 'needs mdm.sourceLastUpdated in the secret, which says where it travels';
  const faults = times.flatMap(({ time, pointer }) => (time === undefined ? [] : [{ pointer, message }]));
  if (faults.length > 0) throw refuse('mdm', limitFaults(faults));
}

/** The times in the `records` of a batch, with their places in the input. */
export const timesOf = (records: readonly { readonly sourceLastUpdated?: SourceTime }[]) =>
  records.map(({ sourceLastUpdated: time }, index) => ({ time, pointer: `/records/${index}/sourceLastUpdated` }));
