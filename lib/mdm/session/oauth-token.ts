import { describeCause } from '../../contract/causes.ts';
import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import type { MdmConfig } from '../../config/config.schema.ts';
import { tokenErrorOf } from '../exchange/errors.ts';
import { serviceNameFirst } from '../exchange/service-name.ts';
import { readObject } from '../exchange/response.ts';
import { withRequestSpan } from '../exchange/span.ts';
import { exchange } from '../exchange/transport.ts';

type OAuth = Extract<MdmConfig['auth'], { type: 'login-oauth' }>;

/** Characters of a token (RFC 6749), and the longest of a session. */
const TOKEN = /^[\x20-\x7e]{1,16384}$/;

/**
 * A token of the identity provider, by the client credentials grant (RFC 6749, 4.4). It serves one login, so it is
 * never kept.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` (502) if the client is refused; `MDM:SERVER_ERROR`, `MDM:TIMEOUT` and
 *   `MDM:CONNECTIVITY` as for every call.
 */
export async function fetchToken(auth: OAuth, config: MdmConfig, deadline: Deadline): Promise<string> {
  const { tokenUrl, clientId, clientSecret, scope, audience } = auth;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId });
  form.append('client_secret', clientSecret);
  if (scope !== undefined) form.append('scope', scope);
  if (audience !== undefined) form.append('audience', audience);
  const call = {
    method: 'POST',
    purpose: 'token' as const,
    url: tokenUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
  };
  const response = await withRequestSpan(call.method, call.url, () => exchange(call, config, deadline));
  if (response.status < 200 || response.status >= 300) {
    throw tokenErrorOf(response, { values: [clientSecret, clientId] });
  }
  const { access_token: token } = readObject(response);
  if (typeof token === 'string' && TOKEN.test(token)) return token;
  const place = serviceNameFirst(response.request);
  const { detail, hint } = describeCause('mdm-token', { place, status: String(response.status), words: '' });
  throw new ConnectorError('MDM:SERVER_ERROR', detail, { hint, upstreamStatus: response.status });
}
