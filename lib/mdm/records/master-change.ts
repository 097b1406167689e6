import type { GoldenKey, MasterChange, SourceTime } from '../../contract/parameters/mdm.ts';
import type { ChangeResponse, PatchOperation } from '../../contract/parameters/source.ts';
import type { MdmClient } from '../client/client.ts';
import { pathOf } from '../exchange/path.ts';
import { patch, remove, replace } from './changes.ts';

/*
 * Changes of golden records. Each makes or updates a source record, from which the golden record is computed anew.
 */

const goldenAt = (mdm: MdmClient, { businessEntity, businessId }: GoldenKey) => ({
  path: pathOf(mdm.config.paths.entity, businessEntity, businessId),
  keys: [businessId],
});

const changeAt = (mdm: MdmClient, { sourceSystem, sourcePKey, ...key }: MasterChange) => {
  const { path, keys } = goldenAt(mdm, key);
  return { path, query: { sourceSystem, sourcePKey }, keys: [...keys, sourcePKey] };
};

/**
 * Changes a golden record. Retried only if `sourcePKey` makes that safe.
 *
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await updateMaster(mdm, { businessEntity, businessId, sourceSystem: 'crm', sourcePKey: '7' }, { name: 'Bonn' });
 */
export async function updateMaster(
  mdm: MdmClient,
  change: MasterChange,
  record: Record<string, unknown>,
  time?: SourceTime,
): Promise<ChangeResponse> {
  return replace(mdm, changeAt(mdm, change), record, time);
}

/** Changes parts of a golden record with JSON Patch. Never retried. @throws {ConnectorError} `MDM:*` */
export async function patchMaster(
  mdm: MdmClient,
  change: MasterChange,
  operations: readonly PatchOperation[],
): Promise<ChangeResponse> {
  return patch(mdm, changeAt(mdm, change), operations);
}

/** Deletes a golden record with its source records. @throws {ConnectorError} `MDM:*` */
export async function deleteMaster(mdm: MdmClient, key: GoldenKey): Promise<ChangeResponse> {
  return remove(mdm, goldenAt(mdm, key));
}
