import { CODE_LISTS } from '../records/code-lists.ts';
import { pageOf } from '../records/dialect.ts';
import { ok, refusal, type SandboxResponse } from '../records/responses.ts';
import { readJson, type Call, type Json, type RouteEntry, type Tenant } from '../tenant/tenant.ts';

const LISTS = 'rdm-service/external/v1/codelists';
const MOST = 10_000;
/** When the code lists of the tenant were published. */
const PUBLISHED_AT = Date.UTC(2024, 0, 15);

/** Code lists, which have their own service and form of pages. */
export const codeListRoutes: readonly RouteEntry[] = [
  ['GET', LISTS, readList],
  ['POST', 'rdm-service/external/v1/export', exportValues],
];

function readList(_tenant: Tenant, { query }: Call, [id = '', part, subject]: string[]): SandboxResponse {
  const values = valuesOf(id);
  if (part === undefined) {
    return ok({ id, name: id, description: `Codes of ${id}`, hierarchical: false, status: 'PUBLISHED' });
  }
  if (part !== 'codevalues') throw refusal(404, 'RDM_NOT_FOUND', 'No such part of a code list');
  if (subject === 'modifications') return ok(modifications(values, query));
  const code = query.get('Code');
  const found = values.filter(({ Code }) => Code === code);
  if (found.length === 0) throw refusal(404, 'RDM_CODE_VALUE_NOT_FOUND', 'The code does not exist');
  return ok(found.map((codeValueFields) => ({ codelistId: id, status: 'ACTIVE', codeValueFields })));
}

/** The values that were changed in a span of time. */
function modifications(values: readonly Json[], query: URLSearchParams): Json {
  const [from, to] = [query.get('from'), query.get('to')].map((text) => {
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text ?? '')) throw refusal(400, 'RDM_TIME', 'A time is not valid');
    return Date.parse(text!);
  }) as [number, number];
  const isWithin = from <= PUBLISHED_AT && PUBLISHED_AT < to;
  const changed = values.map((fields) => ({
    ...fields,
    changeType: 'CREATE',
    updateDate: new Date(PUBLISHED_AT).toISOString(),
  }));
  return codeListPage(isWithin ? changed : [], query, 100);
}

function exportValues(_tenant: Tenant, { body, headers }: Call): SandboxResponse {
  if (!/json/.test(headers.accept ?? '')) throw refusal(406, 'RDM_ACCEPT', 'Values are exported as JSON only');
  const { containerType, containerId, page = 0, pageSize = MOST } = readJson(body);
  if (containerType !== 'codelist') throw refusal(400, 'RDM_CONTAINER_TYPE', 'The container is no code list');
  if (Number(pageSize) > MOST) throw refusal(400, 'RDM_PAGE_SIZE', `A page holds at most ${MOST} values`);
  const paging = new URLSearchParams({ page: String(page), pageSize: String(pageSize) });
  return ok(codeListPage(valuesOf(String(containerId)), paging, MOST));
}

function valuesOf(id: string): Json[] {
  const codes = Object.hasOwn(CODE_LISTS, id) ? CODE_LISTS[id] : undefined;
  if (!codes) throw refusal(404, 'RDM_CODE_LIST_NOT_FOUND', `Code list ${id} does not exist`);
  return Object.entries(codes).map(([Code, Name]) => ({ Code, Name }));
}

/** A page as this service writes it, with other names than the others. */
function codeListPage(items: readonly Json[], query: URLSearchParams, standard: number): Json {
  const asked = new URLSearchParams({ _page: query.get('page') ?? '0', _size: query.get('pageSize') ?? `${standard}` });
  const { content, size, number, last } = pageOf(items, asked, { standard, largest: MOST });
  return {
    page: number,
    pageSize: size,
    totalNumberOfElements: items.length,
    numberOfElements: content.length,
    firstPage: number === 0,
    lastPage: last,
    content,
  };
}
