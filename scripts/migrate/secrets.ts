import { attributesOf, childrenOf, type MuleElement } from './read-application.ts';

const FILL_IN = 'FILL IN';

/** A skeleton of a connector configuration, with `FILL IN` where the application does not say, or must not. */
export interface Skeleton {
  mdm?: Record<string, unknown>;
  redis?: Record<string, unknown>;
}

/**
 * Skeletons of the secrets, by configRef. The first configuration of each connector is in `default`, any other in a
 * secret of its own. Passwords are never taken over.
 */
export function secretsOf(configs: readonly MuleElement[]): {
  secrets: Map<string, Skeleton>;
  refs: Map<string, string>;
} {
  const secrets = new Map<string, Skeleton>();
  const refs = new Map<string, string>();
  for (const { element, connector } of configs) {
    const part = connector === 'b360' ? 'mdm' : 'redis';
    const name = element.getAttribute('name') ?? '';
    const ref = secrets.get('default')?.[part] ? slug(name) : 'default';
    refs.set(name, ref);
    const [connection] = childrenOf(element);
    const attributes = Object.fromEntries(connection ? attributesOf(connection) : []);
    const skeleton = part === 'mdm' ? mdmOf(connection?.localName ?? '', attributes) : redisOf(attributes);
    secrets.set(ref, { ...secrets.get(ref), [part]: skeleton });
  }
  return { secrets, refs };
}

function mdmOf(connection: string, given: Record<string, string>): Record<string, unknown> {
  if (connection === 'passthrough-connection') {
    return { auth: { type: 'session', sessionId: FILL_IN }, baseUrl: known(given.baseApiUrl) };
  }
  const loginUrl = known(given.baseUrl).replace(/\/saas\/public\/core\/v3\/login\/?$/, '');
  return { auth: { type: 'login-v3', loginUrl, username: known(given.username), password: FILL_IN } };
}

function redisOf(given: Record<string, string>): Record<string, unknown> {
  const { host, port = '6379', tls, commandTimeout, commandTimeoutUnit } = given;
  const isKnown = [host, port, tls].every((text) => text !== undefined && known(text) === text);
  const url = isKnown ? `${tls === 'true' ? 'rediss' : 'redis'}://:FILL-IN@${host}:${port}` : FILL_IN;
  const unit = { MILLISECONDS: 1, SECONDS: 1000 }[commandTimeoutUnit ?? ''];
  const commandTimeoutMs = unit === undefined ? undefined : Number(commandTimeout) * unit;
  return Number.isInteger(commandTimeoutMs) ? { url, commandTimeoutMs } : { url };
}

/** A literal; expressions and placeholders are to be filled in. */
const known = (text = ''): string => (text === '' || /#\[|\$\{/.test(text) ? FILL_IN : text);

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 64) || 'other';
