import { parseExact } from '#lib/core/json.ts';
import type { ModelRelationship } from '../records/data-model.ts';
import type { Jobs } from '../records/jobs.ts';
import type { Records } from '../records/records.ts';
import type { Relationships } from '../records/relationships.ts';
import { refusal, type SandboxResponse } from '../records/responses.ts';
import type { SearchOptions } from '../records/search.ts';
import type { Sessions } from './sessions.ts';
import type { Wire } from '../records/views.ts';

/** Whether the fields that a submit omits are removed (`full`), or keep their values (`partial`). */
export type SubmitMode = 'full' | 'partial';

/** The ids of changes that wait for approval. */
export class ChangeLists {
  #count = 0;

  next(): string {
    return `changelist-${++this.#count}`;
  }
}

/** The state that routes work on. */
export interface Tenant extends Wire {
  readonly submitMode: SubmitMode;
  /** Whether changes of records wait for a person. */
  readonly needsApproval: boolean;
  readonly records: Records;
  readonly relationships: Relationships;
  readonly jobs: Jobs;
  readonly changeLists: ChangeLists;
  readonly sessions: Sessions;
  readonly dataModel: string;
  /** Kinds of relationships, of the data model. */
  readonly kinds: readonly ModelRelationship[];
  readonly search?: SearchOptions;
  /** Address of the tenant's pods, for the response to a login. */
  readonly url: () => string;
}

/** A request to the API. */
export interface Call {
  method: string;
  /** Decoded path segments. */
  segments: string[];
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  body: string;
}

/** Handles a call, with the path segments after the route's own. */
export type Route = (tenant: Tenant, call: Call, rest: string[]) => SandboxResponse;

export type RouteEntry = readonly [method: string, path: string, route: Route];

export type Json = Record<string, unknown>;

/** The JSON object of a body. */
export function readJson(text: string): Json {
  const value = parse(text);
  if (!isObject(value)) throw refusal(400, 'BAD_JSON', 'The body is not a JSON object');
  return value;
}

/** The list of at most ten JSON objects in a body. */
export function readList(text: string, atLeast: number): Json[] {
  const value = parse(text);
  if (!Array.isArray(value) || !value.every(isObject))
    throw refusal(400, 'BAD_JSON', 'The body is not a list of objects');
  if (value.length < atLeast || value.length > 10) {
    throw refusal(400, 'MDM_LIST_SIZE', `The list must hold ${atLeast} to 10 items`);
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
