import type { SourceKey } from '../../contract/parameters/mdm.ts';
import type { ChangeResponse, PatchOperation } from '../../contract/parameters/source.ts';
import { commonAttributes } from '../exchange/attributes.ts';
import { changeOf } from '../exchange/change.ts';
import type { MdmClient } from '../client/client.ts';
import { sendPatch } from '../client/patch.ts';
import { pathOf } from '../exchange/path.ts';
import { writeRecord } from './record.ts';

const NOT_FOUND = 404;

const pathOfSource = (mdm: MdmClient, { businessEntity, sourceSystem, sourcePKey }: SourceKey) =>
  pathOf(mdm.config.paths.entityXref, businessEntity, sourceSystem, sourcePKey);

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
  { signal }: { signal?: AbortSignal } = {},
): Promise<ChangeResponse> {
  const response = await mdm.send({
    method: 'PUT',
    path: pathOfSource(mdm, key),
    body: writeRecord(record),
    signal,
    changes: true,
    secrets: () => [key.sourcePKey, record],
  });
  return changeOf(response);
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
  const values = operations.map(({ value }) => ({ value }));
  values.forEach((value, index) => writeRecord(value, `/operations/${index}/value`));
  const response = await sendPatch(mdm, {
    path: pathOfSource(mdm, key),
    body: JSON.stringify(operations.map(onTheWire)),
    changes: true,
    secrets: () => [key.sourcePKey, values],
  });
  return changeOf(response);
}

/**
 * Deletes a source record. A 404 after an attempt whose response was lost means that the attempt succeeded.
 *
 * @throws {ConnectorError} `MDM:*`
 */
export async function deleteSource(
  mdm: MdmClient,
  key: SourceKey,
  { signal }: { signal?: AbortSignal } = {},
): Promise<ChangeResponse> {
  const response = await mdm.send({
    method: 'DELETE',
    path: pathOfSource(mdm, key),
    changes: true,
    doneStatus: NOT_FOUND,
    signal,
    secrets: () => [key.sourcePKey],
  });
  if (response.status === NOT_FOUND) return { payload: {}, attributes: commonAttributes(response) };
  return changeOf(response);
}

/** The API expects JSON Pointers without their leading slash. */
function onTheWire({ path, from, ...rest }: PatchOperation) {
  const bare = (pointer: string) => pointer.replace(/^\//, '');
  return { ...rest, path: bare(path), ...(from !== undefined && { from: bare(from) }) };
}
