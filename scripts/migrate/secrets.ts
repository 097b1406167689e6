import { unused } from './output.ts';
import type { Converted } from './convert.ts';
import { attributesOf, childrenOf, type MuleElement } from './read-application.ts';

const FILL_IN = 'FILL IN';

/** A skeleton of a connector configuration, with `FILL IN` where the application does not say, or must not. */
export interface Skeleton {
  mdm?: Record<string, unknown>;
  redis?: Record<string, unknown>;
}

/** What a part of a skeleton takes over from a connection. */
interface Part {
  readonly skeleton: Record<string, unknown>;
  /** The attributes that it is made of, also those that are left out on purpose. */
  readonly from: readonly string[];
}

/**
 * Skeletons of the secrets, by configRef. The first configuration of each connector is in `default`, any other in a
 * secret of its own. Passwords are never taken over. `rows` are for the report, by the element.
 */
export function secretsOf(configs: readonly MuleElement[]): {
  secrets: Map<string, Skeleton>;
  refs: Map<string, string>;
  rows: Map<MuleElement, Converted>;
} {
  const secrets = new Map<string, Skeleton>();
  const refs = new Map<string, string>();
  const taken = new Set(['default']);
  const rows = new Map<MuleElement, Converted>();
  for (const from of configs) {
    const { element, connector } = from;
    if (from.localName !== 'config') {
      rows.set(from, { from, status: 'not possible', toFillIn: {}, notes: [`no operation uses ${from.name}`] });
      continue;
    }
    const part = connector === 'b360' ? 'mdm' : 'redis';
    const name = element.getAttribute('name') ?? '';
    const ref = secrets.get('default')?.[part] ? unused(slug(name), taken) : 'default';
    refs.set(name, ref);
    const connection = childrenOf(element).find(({ localName }) => localName?.endsWith('connection'));
    const given = Object.fromEntries(connection ? attributesOf(connection) : []);
    const { skeleton, from: read } = (part === 'mdm' ? mdmOf : redisOf)(connection?.localName ?? '', given);
    secrets.set(ref, { ...secrets.get(ref), [part]: skeleton });
    const left = [
      ...attributesOf(element).map(([attribute]) => attribute),
      ...childrenOf(element).map(({ tagName }) => tagName),
      ...Object.keys(given),
      ...(connection ? childrenOf(connection) : []).map(({ tagName }) => tagName),
    ].filter((one) => one !== 'name' && one !== connection?.tagName && !read.includes(one));
    rows.set(from, {
      from,
      status: 'to fill in',
      toFillIn: {},
      notes: [
        `\`${part}\` of the secret \`${ref}\``,
        ...(read.length === 0 ? [`\`${connection?.tagName ?? 'no connection'}\` is not known`] : []),
        ...(left.length === 0 ? [] : [`not taken over: ${left.map((one) => `\`${one}\``).join(', ')}`]),
      ],
    });
  }
  return { secrets, refs, rows };
}

function mdmOf(connection: string, given: Record<string, string>): Part {
  if (connection === 'passthrough-connection') {
    return {
      skeleton: { auth: { type: 'session', sessionId: FILL_IN }, baseUrl: known(given.baseApiUrl) },
      from: ['baseApiUrl', 'sessionId'],
    };
  }
  if (connection !== 'basic-connection') return { skeleton: { auth: { type: FILL_IN } }, from: [] };
  const loginUrl = known(given.baseUrl).replace(/\/saas\/public\/core\/v3\/login\/?$/, '');
  return {
    skeleton: { auth: { type: 'login-v3', loginUrl, username: known(given.username), password: FILL_IN } },
    from: ['baseUrl', 'username', 'password'],
  };
}

function redisOf(connection: string, given: Record<string, string>): Part {
  if (connection !== 'connection') return { skeleton: { url: FILL_IN }, from: [] };
  const { host, port = '6379', tls, commandTimeout, commandTimeoutUnit } = given;
  const isKnown = [host, port, tls].every((text) => text !== undefined && known(text) === text);
  const url = isKnown ? `${tls === 'true' ? 'rediss' : 'redis'}://:FILL-IN@${host}:${port}` : FILL_IN;
  const unit = { MILLISECONDS: 1, SECONDS: 1000 }[commandTimeoutUnit ?? ''];
  const commandTimeoutMs = unit === undefined ? undefined : Number(commandTimeout) * unit;
  const from = ['host', 'port', 'tls', 'password'];
  if (!Number.isInteger(commandTimeoutMs)) return { skeleton: { url }, from };
  return { skeleton: { url, commandTimeoutMs }, from: [...from, 'commandTimeout', 'commandTimeoutUnit'] };
}

/** A literal; expressions and placeholders are to be filled in. */
const known = (text = ''): string => (text === '' || /#\[|\$\{/.test(text) ? FILL_IN : text);

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'other';
