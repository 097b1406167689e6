import type { SourceKey, SourceTime } from '../../contract/parameters/mdm.ts';
import type { ChangeResponse, PatchOperation } from '../../contract/parameters/source.ts';
import type { MdmClient } from '../client/client.ts';
import { pathOf } from '../exchange/path.ts';
import { patch, remove, replace } from './changes.ts';

type Options = { readonly signal?: AbortSignal };

const sourceAt = (mdm: MdmClient, { businessEntity, sourceSystem, sourcePKey }: SourceKey) => ({
  path: pathOf(mdm.config.paths.entityXref, businessEntity, sourceSystem, sourcePKey),
  keys: [sourcePKey],
});

/**
 * Replaces a source record. Omitted fields are removed.
 *
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await replaceSource(mdm, key, { name: 'Bonn', country: { Code: 'DE' } });
 */
export async function replaceSource(
  mdm: MdmClient,
  key: SourceKey,
  record: Record<string, unknown>,
  { signal, sourceLastUpdated }: Options & { readonly sourceLastUpdated?: SourceTime } = {},
): Promise<ChangeResponse> {
  return replace(mdm, { ...sourceAt(mdm, key), signal }, record, sourceLastUpdated);
}

/**
 * Changes parts of a source record with JSON Patch. Never retried, because an operation on a list would be done twice.
 *
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await patchSource(mdm, key, [{ op: 'replace', path: '/name', value: 'Bonn' }]);
 */
export async function patchSource(
  mdm: MdmClient,
  key: SourceKey,
  operations: readonly PatchOperation[],
): Promise<ChangeResponse> {
  return patch(mdm, sourceAt(mdm, key), operations);
}

/**
 * Deletes a source record. A 404 after an attempt whose response was lost means that the attempt succeeded.
 *
 * @throws {ConnectorError} `MDM:*`
 */
export async function deleteSource(mdm: MdmClient, key: SourceKey, { signal }: Options = {}): Promise<ChangeResponse> {
  return remove(mdm, { ...sourceAt(mdm, key), signal });
}
