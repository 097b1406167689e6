import { CODE_LISTS } from '../records/code-lists.ts';
import { ok, refusal, type SandboxResponse } from '../records/responses.ts';
import { pageOf, type Call, type RouteEntry, type Tenant } from '../tenant/tenant.ts';

/** The data model, its parts, and code lists. */
export const metadataRoutes: readonly RouteEntry[] = [
  ['GET', 'metadata/api/v2/objects', readMetadata],
  ['GET', 'rdm-service/external/v1/codelists', readCodeList],
];

function readMetadata(
  { records, dataModel, kinds }: Tenant,
  { query }: Call,
  [resource = '', id = '']: string[],
): SandboxResponse {
  switch (resource) {
    case 'tenantModel':
      return { status: 200, body: dataModel };
    case 'businessEntity':
      return ok(records.entity(id));
    case 'relationship':
      return ok(pageOf(named(kinds, query.get('name')), query));
    case 'referenceEntity':
      return ok({ guid: id, name: id, storage: 'ref', field: [] });
    case 'view':
    case 'externalResource':
      return ok({ guid: id, name: id, field: [] });
    default:
      throw refusal(404, 'METADATA_NOT_FOUND', 'No such kind of metadata');
  }
}

const named = <T extends { name: string }>(items: readonly T[], name: string | null) =>
  items.filter((item) => name === null || item.name === name);

function readCodeList(_tenant: Tenant, _call: Call, [id = '']: string[]): SandboxResponse {
  const codes = Object.hasOwn(CODE_LISTS, id) ? CODE_LISTS[id] : undefined;
  if (!codes) throw refusal(404, 'RDM_CODE_LIST_NOT_FOUND', `Code list ${id} does not exist`);
  const codeValues = Object.entries(codes).map(([Code, Name]) => ({ Code, Name }));
  return ok({ id, name: id, codeValues });
}
