import type Type from 'typebox';
import type { CommonAttributes, GoldenKey } from '../../contract/parameters/mdm.ts';
import type {
  RecordsToMerge,
  SourcesToUnmerge,
  unmergeOptions,
  ChangeResponse,
} from '../../contract/parameters/source.ts';
import { commonAttributes } from '../exchange/attributes.ts';
import { changeOf } from './change.ts';
import type { MdmClient } from '../client/client.ts';
import { pathOf } from '../exchange/path.ts';
import { readJson, readObject } from '../exchange/response.ts';

/**
 * The keys of a golden record's source records, as `content`.
 *
 * @throws {ConnectorError} `MDM:*`
 */
export async function listSources(
  mdm: MdmClient,
  { businessEntity, businessId }: GoldenKey,
): Promise<{ payload: Record<string, unknown>; attributes: CommonAttributes }> {
  const response = await mdm.send({
    method: 'GET',
    path: pathOf(mdm.config.paths.entityMember, businessEntity, businessId),
    secrets: () => [businessId],
  });
  const body = readJson(response);
  const payload = Array.isArray(body) ? { content: body } : readObject(response); // some services return a bare list
  return { payload, attributes: commonAttributes(response, payload) };
}

/**
 * Merges golden records. Never retried, because a second merge could do something else.
 *
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await mergeRecords(mdm, 'c360.city', [{ businessId: 'MDM1' }, { sourceSystem: 'crm', sourcePKey: '7' }]);
 */
export async function mergeRecords(
  mdm: MdmClient,
  businessEntity: string,
  records: Type.Static<typeof RecordsToMerge>,
): Promise<ChangeResponse> {
  const response = await mdm.send({
    method: 'POST',
    path: pathOf(mdm.config.paths.entityGroup, businessEntity),
    body: JSON.stringify(records),
    secrets: () => records.flatMap(({ businessId, sourcePKey }) => [businessId, sourcePKey]),
  });
  return changeOf(response);
}

/** What to take out of a golden record, and how to treat the parts. */
export type Unmerging = GoldenKey & { sources: Type.Static<typeof SourcesToUnmerge> } & Type.Static<
    Type.TObject<typeof unmergeOptions>
  >;

/** Takes source records out of a golden record. Never retried. @throws {ConnectorError} `MDM:*` */
export async function unmergeRecord(mdm: MdmClient, unmerging: Unmerging): Promise<ChangeResponse> {
  const { businessEntity, businessId, sources, keepRelationships, groupRemaining, groupRemoved } = unmerging;
  const response = await mdm.send({
    method: 'POST',
    path: pathOf(mdm.config.paths.entityGroup, businessEntity, businessId),
    query: {
      _keepRelsWith: keepRelationships,
      _groupingForRemains: groupRemaining,
      _groupingForRemoved: groupRemoved,
    },
    body: JSON.stringify(sources),
    secrets: () => [businessId, ...sources.map(({ sourcePKey }) => sourcePKey)],
  });
  return changeOf(response);
}
