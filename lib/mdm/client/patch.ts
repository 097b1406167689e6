import type { HttpResponse } from '../exchange/transport.ts';
import type { MdmClient, MdmRequest } from './client.ts';

/** Media types of a JSON Patch, after the configured one. The service's own documentation knows only the first. */
const FURTHER_TYPES = ['application/bes-patch+json', 'application/json-patch+json', 'application/json'];
const UNSUPPORTED = 415;
/** The media type that a configuration's API took last, by configRef and configured type. */
const acceptedTypes = new Map<string, string>();

/**
 * Sends a JSON Patch. An API that does not support its media type has done nothing, and is asked with the next.
 *
 * @throws {ConnectorError} `MDM:*`
 */
export async function sendPatch(
  mdm: MdmClient,
  request: Omit<MdmRequest, 'method' | 'headers'>,
): Promise<HttpResponse> {
  const { patchType } = mdm.config;
  const key = `${mdm.configRef} ${patchType}`;
  const [first, ...others] = new Set([acceptedTypes.get(key) ?? patchType, patchType, ...FURTHER_TYPES]);
  let refusal: unknown;
  for (const type of [first!, ...others]) {
    try {
      const response = await mdm.send({ ...request, method: 'PATCH', headers: { 'content-type': type } });
      acceptedTypes.set(key, type);
      return response;
    } catch (error) {
      if ((error as { upstreamStatus?: number }).upstreamStatus !== UNSUPPORTED) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}
