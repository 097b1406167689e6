import type { SourceTime } from '../../contract/parameters/mdm.ts';
import type { ChangeResponse, PatchOperation } from '../../contract/parameters/source.ts';
import type { MdmClient, MdmRequest } from '../client/client.ts';
import { sendPatch } from '../client/patch.ts';
import { commonAttributes } from '../exchange/attributes.ts';
import { changeOf } from '../exchange/change.ts';
import type { HttpResponse } from '../exchange/http-response.ts';
import { writeRecord } from './record.ts';
import { stamp } from './source-time.ts';

/*
 * Changes that golden records and source records have in common.
 */

const NOT_FOUND = 404;

/** What is changed: a path, and the keys in it. */
type Changed = Pick<MdmRequest, 'path' | 'query' | 'signal'> & { readonly keys: readonly (string | undefined)[] };

/**
 * Replaces what is at a path.
 *
 * @param time when the source changed it
 */
export async function replace(
  mdm: MdmClient,
  { keys, query, ...changed }: Changed,
  record: Record<string, unknown>,
  time?: SourceTime,
): Promise<ChangeResponse> {
  const stamped = stamp(mdm.config, record, time);
  const response = await mdm.send({
    ...changed,
    method: 'PUT',
    query: { ...query, ...stamped.query },
    body: writeRecord(stamped.record),
    secrets: () => [...keys, record],
  });
  return changeOf(response);
}

/** Changes parts of what is at a path. Never retried, because an operation on a list would be done twice. */
export async function patch(
  mdm: MdmClient,
  { keys, ...changed }: Changed,
  operations: readonly PatchOperation[],
): Promise<ChangeResponse> {
  const values = operations.map(({ value }) => ({ value }));
  values.forEach((value, index) => writeRecord(value, `/operations/${index}/value`));
  const body = JSON.stringify(operations.map(onTheWire));
  const secrets = () => [...keys, values];
  return changeOf(await sendPatch(mdm, { ...changed, body, secrets }));
}

/**
 * Deletes what is at a path. A 404 after an attempt whose response was lost means that the attempt succeeded.
 *
 * @param outputOf makes the output of the API's response
 */
export async function remove(
  mdm: MdmClient,
  { keys, ...changed }: Changed,
  outputOf: (response: HttpResponse) => ChangeResponse = changeOf,
): Promise<ChangeResponse> {
  const response = await mdm.send({
    ...changed,
    method: 'DELETE',
    doneStatus: NOT_FOUND,
    secrets: () => keys,
  });
  if (response.status === NOT_FOUND) return { payload: {}, attributes: commonAttributes(response) };
  return outputOf(response);
}

/** The API expects JSON Pointers without their leading slash. */
function onTheWire({ path, from, ...rest }: PatchOperation) {
  const bare = (pointer: string) => pointer.replace(/^\//, '');
  return { ...rest, path: bare(path), ...(from !== undefined && { from: bare(from) }) };
}
