import type Type from 'typebox';
import type { GoldenKey, ListResponse, MasterAttributes } from '../../contract/parameters/mdm.ts';
import type { Deadline } from '../../core/deadline.ts';
import type {
  RecordsToMerge,
  SourcesToUnmerge,
  unmergeOptions,
  ChangeResponse,
} from '../../contract/parameters/source.ts';
import { changeOf } from '../exchange/change.ts';
import { masterAttributes, sourceKeyOf } from '../exchange/attributes.ts';
import type { MdmClient } from '../client/client.ts';
import { readList } from '../client/list.ts';
import { pathOf } from '../exchange/path.ts';
import { readObject } from '../exchange/response.ts';

type Json = Record<string, unknown>;
type Merged = Type.Static<typeof RecordsToMerge>;

/**
 * All source records of a golden record, as `content`, each with its `sourceSystem` and `sourcePKey`.
 *
 * @throws {ConnectorError} `MDM:*`
 */
export async function listSources(
  mdm: MdmClient,
  { businessEntity, businessId }: GoldenKey,
  deadline: Deadline,
): Promise<ListResponse> {
  const request = {
    method: 'GET',
    path: pathOf(mdm.config.paths.entityMember, businessEntity, businessId),
    secrets: () => [businessId],
  } as const;
  const { payload, attributes } = await readList(mdm, request, deadline);
  return { payload: { content: (payload.content as unknown[]).map(withKey) }, attributes };
}

/** A source record with its key beside its other members, where some services put the key into an `id`. */
function withKey(member: unknown): unknown {
  if (typeof member !== 'object' || member === null) return member;
  const key = sourceKeyOf(member as Json);
  if (key === undefined) return member;
  const { id: _, ...rest } = member as Json;
  return { ...key, ...rest };
}

/**
 * Merges golden records. Never retried, because a second merge could do something else.
 *
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await mergeRecords(mdm, 'c360.city', [{ businessId: 'MDM1' }, { sourceSystem: 'crm', sourcePKey: '7' }]);
 */
export async function mergeRecords(mdm: MdmClient, businessEntity: string, records: Merged): Promise<ChangeResponse> {
  const path = pathOf(mdm.config.paths.entityGroup, businessEntity);
  return changeOf(await mdm.send(requestOf(path, records)));
}

/** The golden record that a merge would give. Changes nothing. @throws {ConnectorError} `MDM:*` */
export async function previewMerge(
  mdm: MdmClient,
  businessEntity: string,
  records: Merged,
): Promise<{ payload: Json; attributes: MasterAttributes }> {
  const response = await mdm.send(requestOf(pathOf(mdm.config.paths.previewEntity, businessEntity), records));
  const payload = readObject(response);
  return { payload, attributes: masterAttributes(payload, response) };
}

const requestOf = (path: string, records: Merged) =>
  ({
    method: 'POST',
    path,
    body: JSON.stringify(records),
    secrets: () => records.flatMap(({ businessId, sourcePKey }) => [businessId, sourcePKey]),
  }) as const;

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
