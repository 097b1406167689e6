import type { ChangeResponse } from '../../contract/parameters/source.ts';
import { commonAttributes, texts } from './attributes.ts';
import type { HttpResponse } from './http-response.ts';
import { isEmpty, readJson } from './response.ts';

type Json = Record<string, unknown>;

/** Where a golden record can be read. */
const GOLDEN_RECORD = /\/entity\/[^/]+\/([^/]+)$/;
const LAST_SEGMENT = /\/([^/]+)$/;

/** The output of a change of a record: what the API says of it, in a body, in `Location` or not at all. */
export function changeOf(response: HttpResponse): ChangeResponse {
  const businessId = segmentOf(response, GOLDEN_RECORD);
  const payload = { ...(businessId !== undefined && { businessId }), ...readWritten(response) };
  return { payload, attributes: { ...texts(payload, ['businessId']), ...outcomeOf(payload, response) } };
}

/** The same for something that has an id of its own, such as a job or a relationship. */
export function creationOf(response: HttpResponse) {
  const id = segmentOf(response, LAST_SEGMENT);
  const payload: Json = { ...(id !== undefined && { id }), ...readWritten(response) };
  return { payload, attributes: { ...texts(payload, ['id']), ...outcomeOf(payload, response) } };
}

function outcomeOf(payload: Json, response: HttpResponse) {
  const changeListId = response.headers.get('infa-mdm-changelist-id') ?? undefined;
  const { approvalRequired = changeListId === undefined ? undefined : true } = payload;
  return {
    ...(typeof approvalRequired === 'boolean' && { approvalRequired }),
    ...(changeListId !== undefined && { changeListId }),
    ...commonAttributes(response, payload),
  };
}

/** An id in the address that `Location` names. */
function segmentOf({ headers }: HttpResponse, pattern: RegExp): string | undefined {
  const [path = ''] = (headers.get('location') ?? '').split(/[?#]/);
  const [, segment] = pattern.exec(path.replace(/\/$/, '')) ?? [];
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** What the API says of a write that succeeded: an object, the bare id of what was made, or nothing of use. */
function readWritten(response: HttpResponse): Json {
  const value = isEmpty(response) ? null : readJson(response);
  if (typeof value === 'string' || typeof value === 'number' || JSON.isRawJSON(value)) return { id: value };
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Json) : {};
}
