import { ok, refusal, type SandboxResponse } from './responses.ts';
import type { GoldenRecord, SourceRecord } from './record.ts';

type Json = Record<string, unknown>;

export const DIALECTS = ['public', 'service'] as const;
export type DialectName = (typeof DIALECTS)[number];

/** A write that was carried out: what a body says of it, and where the result can be read. */
export interface Written {
  readonly status: number;
  readonly body: Json;
  readonly location?: string;
}

/**
 * How the tenant writes what its services leave open: `public` as the vendor's pages show it, `service` as the
 * documentation of the service behind the public API does.
 */
export interface Dialect {
  readonly name: DialectName;
  /** Media types that a PATCH may have. */
  readonly patchTypes: readonly string[];
  /** Whether a PUT of an unknown source record creates it. */
  readonly replacesUnknown: boolean;
  /** Headers of every response. */
  headers(requestId: string, modelVersion: number): Record<string, string>;
  /** A page of a list. */
  list(items: readonly unknown[], query: URLSearchParams): SandboxResponse;
  /** A source record in the list of a golden record's. */
  readonly member: (source: SourceRecord) => Json;
  /** The members of a source record's `_meta` that identify it. */
  sourceId(source: SourceRecord): Json;
  /** Further members of a golden record's `_meta`. */
  goldenId(golden: GoldenRecord): Json;
  written(write: Written): SandboxResponse;
  /** A write that must be approved first. */
  awaitsApproval(changeListId: string): SandboxResponse;
  /** The result of a search. */
  found(result: Json & { records: unknown[] }): Json;
  /** A result of `records` that may be empty, as of a match. */
  some(result: Json & { records: unknown[] }): SandboxResponse;
}

const PUBLIC: Dialect = {
  name: 'public',
  patchTypes: ['application/json'],
  replacesUnknown: false,
  headers: (requestId) => ({ 'INFA-REQUEST-ID': requestId }),
  list(items, query) {
    const { size, number, content, last } = pageOf(items, query, { standard: 1000, largest: 1000 });
    return ok({ content, size, number, last, totalElements: items.length });
  },
  member: ({ sourcePKey, sourceSystem }) => ({ sourcePKey, sourceSystem }),
  sourceId: ({ sourceSystem, sourcePKey }) => ({ sourceSystem, sourcePrimaryKey: sourcePKey }),
  goldenId: () => ({}),
  written: ({ status, body }) => (status === 204 ? { status } : ok(body, status)),
  awaitsApproval: () => ok({ approvalRequired: true }),
  found: (result) => result,
  some: (result) => ok(result),
};

const SERVICE: Dialect = {
  name: 'service',
  patchTypes: ['application/bes-patch+json'],
  replacesUnknown: true,
  headers: (requestId, modelVersion) => ({
    X_INFA_LOG_CTX: `req_id=${requestId}`,
    MODEL_VERSION: String(modelVersion),
    'content-type': 'application/json;charset=UTF-8',
    'content-disposition': 'inline;filename=f.txt',
  }),
  list(items, query) {
    if (items.length === 0) return { status: 204 };
    const { size, number, content, last } = pageOf(items, query, { standard: 10, largest: 100 });
    const page = { first: number === 0, last, page: number, size, sort: [], numberOfElements: content.length };
    return ok({ ...page, content });
  },
  member: ({ entity, sourceSystem, sourcePKey }) => ({ businessEntity: entity, id: { sourceSystem, sourcePKey } }),
  sourceId: ({ sourceSystem, sourcePKey }) => ({ id: { sourceSystem, sourcePKey }, status: 'ACTIVE' }),
  goldenId: ({ businessId }) => ({ id: internalId(businessId), status: 'ACTIVE' }),
  written: ({ status, location }) =>
    location === undefined ? { status: 204 } : { status: Math.max(201, status), headers: { location } },
  awaitsApproval: (changeListId) => ({ status: 204, headers: { 'INFA-MDM-CHANGELIST-ID': changeListId } }),
  found: ({ records, ...rest }) => (rest.hits === 0 ? rest : { ...rest, records }),
  some: (result) => (result.records.length === 0 ? { status: 204 } : ok(result)),
};

export const dialectOf = (name: DialectName): Dialect => (name === 'service' ? SERVICE : PUBLIC);

/** The dialect that the environment names. */
export function dialectOfEnvironment(name = process.env.SANDBOX_DIALECT): DialectName {
  const found = DIALECTS.find((candidate) => candidate === (name || 'public'));
  if (!found) throw new Error(`SANDBOX_DIALECT is one of ${DIALECTS.join(', ')}`);
  return found;
}

/** The requested page. Services name the two parameters in two ways. */
export function pageOf<T>(
  items: readonly T[],
  query: URLSearchParams,
  { standard, largest }: { standard: number; largest: number },
): { content: T[]; size: number; number: number; last: boolean } {
  const asked = Number(query.get('_size') ?? query.get('pageSize') ?? standard);
  const number = Number(query.get('_page') ?? query.get('pageOffset') ?? 0);
  const size = Math.min(asked, largest);
  if (!(size > 0) || !(number >= 0)) throw refusal(400, 'BAD_PAGE', 'The paging is not valid');
  const end = (number + 1) * size;
  return { content: items.slice(number * size, end), size, number, last: end >= items.length };
}

/** The internal id of a golden record: 24 characters. */
const internalId = (businessId: string) => Buffer.from(businessId).toString('hex').padStart(24, '0').slice(-24);
