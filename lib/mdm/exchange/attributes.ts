import type { CommonAttributes, MasterAttributes } from '../../contract/parameters/mdm.ts';
import { requestIdOf } from './response.ts';
import type { HttpResponse } from './transport.ts';

type Json = Record<string, unknown>;

/** Attributes of every operation's response. */
export function commonAttributes(response: HttpResponse, body?: unknown): CommonAttributes {
  const requestId = requestIdOf(response, body);
  return { statusCode: response.status, ...(requestId !== undefined && { requestId }) };
}

/** Attributes of Master Read, from `_meta`. */
export function masterAttributes(record: Json, response: HttpResponse): MasterAttributes {
  const meta = (record._meta ?? {}) as Json;
  const states = (meta.states ?? {}) as Json;
  return {
    ...texts(meta, ['businessId', 'businessEntity']),
    ...texts({ ...states, state: states.base }, ['state', 'validation', 'consolidation']),
    ...texts(meta, ['createdBy', 'creationDate', 'updatedBy', 'lastUpdateDate']),
    ...commonAttributes(response),
  };
}

/** The key of a source record, which some services put into an `id`. */
export function sourceKeyOf(record: Json): Json | undefined {
  const { id } = record;
  if (typeof id !== 'object' || id === null || JSON.isRawJSON(id)) return undefined;
  const { sourceSystem, sourcePKey } = id as Json;
  return { sourceSystem, sourcePKey };
}

/** These properties as text: the API writes dates as numbers, and some services ids. Missing ones stay missing. */
export function texts<Name extends string>(from: Json, names: readonly Name[]): { [K in Name]?: string } {
  const found: { [K in Name]?: string } = {};
  for (const name of names) {
    const text = textOf(from[name]);
    if (text !== undefined) found[name] = text;
  }
  return found;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || JSON.isRawJSON(value) ? JSON.stringify(value) : undefined;
}
