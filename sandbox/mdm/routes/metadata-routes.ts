import { pageOf } from '../records/dialect.ts';
import { ok, refusal, type SandboxResponse } from '../records/responses.ts';
import type { Call, Json, RouteEntry, Tenant } from '../tenant/tenant.ts';

/** The data model and its parts. */
export const metadataRoutes: readonly RouteEntry[] = [['GET', 'metadata/api/v2/objects', readMetadata]];

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
      return ok(metadataPage(named(kinds, query.get('name')), query));
    case 'referenceEntity':
      return ok({ guid: id, name: id, storage: 'ref', field: [] });
    case 'view':
    case 'externalResource':
      return ok({ guid: id, name: id, field: [] });
    default:
      throw refusal(404, 'METADATA_NOT_FOUND', 'No such kind of metadata');
  }
}

/** Metadata comes in pages of the same form in both dialects. */
function metadataPage(items: readonly unknown[], query: URLSearchParams): Json {
  const { content, size, number, last } = pageOf(items, query, { standard: 1000, largest: 1000 });
  return { content, size, number, last, totalElements: items.length };
}

const named = <T extends { name: string }>(items: readonly T[], name: string | null) =>
  items.filter((item) => name === null || item.name === name);
