import type { Fault } from '../core/errors.ts';

/** The URLs of a secret's `mdm` part. */
interface MdmUrls {
  auth?: { loginUrl?: unknown; tokenUrl?: unknown };
  baseUrl?: unknown;
  proxy?: unknown;
}

/**
 * Checks the URLs of the `mdm` part with the URL parser. The session must travel encrypted. An address with
 * credentials, a query or a fragment would change its meaning when a path is added. A proxy may have credentials.
 *
 * @returns every fault, without values
 */
export function checkMdmUrls(mdm: unknown): Fault[] {
  const { auth, baseUrl, proxy } = (mdm ?? {}) as MdmUrls;
  return [
    ...faultsOf('/mdm/auth/loginUrl', auth?.loginUrl, [isParsed, isSecure, isBare, hasNoCredentials, hasNoLogin]),
    ...faultsOf('/mdm/auth/tokenUrl', auth?.tokenUrl, [isParsed, isSecure, isBare, hasNoCredentials]),
    ...faultsOf('/mdm/baseUrl', baseUrl, [isParsed, isSecure, isBare, hasNoCredentials]),
    ...proxyFaults(proxy),
  ];
}

/** Whether a session may travel to this URL: HTTPS, or HTTP to this machine itself. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}

type Check = (url: URL | null, text: string) => string | undefined;

const isParsed: Check = (url) => (url ? undefined : 'must be a URL');
const isSecure: Check = (url) => (!url || isSecureUrl(url) ? undefined : 'must be HTTPS');
const isBare: Check = (_, text) => (/[?#]/.test(text) ? 'must have no query or fragment' : undefined);
const hasNoCredentials: Check = (url) => (url?.username || url?.password ? 'must hold no credentials' : undefined);
const hasNoLogin: Check = (url) =>
  /\/login\/*$/i.test(url?.pathname ?? '') ? 'must be without the path of the login, which is added to it' : undefined;
const hasReadableCredentials: Check = (url) => {
  try {
    decodeURIComponent(`${url?.username ?? ''}${url?.password ?? ''}`);
    return undefined;
  } catch {
    return 'has credentials that are not well percent-encoded';
  }
};

function faultsOf(pointer: string, text: unknown, checks: Check[]): Fault[] {
  if (typeof text !== 'string' || !/^https?:/.test(text)) return []; // the schema reports it
  const url = URL.parse(text);
  return checks.flatMap((check) => {
    const message = check(url, text);
    return message === undefined ? [] : [{ pointer, message }];
  });
}

function proxyFaults(proxy: unknown): Fault[] {
  const reserved = typeof proxy === 'string' ? reservedFault(proxy) : undefined;
  if (reserved !== undefined) return [{ pointer: '/mdm/proxy', message: reserved }];
  return faultsOf('/mdm/proxy', proxy, [isParsed, isBare, hasReadableCredentials]);
}

/** The URLs of a secret's `redis` part. */
interface RedisUrls {
  url?: unknown;
  nodes?: unknown;
}

/**
 * Checks the URLs of the `redis` part as the client reads them. A password with a reserved character ends the host too
 * early.
 *
 * @returns every fault, without values
 */
export function checkRedisUrls(redis: unknown): Fault[] {
  const { url, nodes } = (redis ?? {}) as RedisUrls;
  const named: [string, unknown][] = Array.isArray(nodes) ? nodes.map((node, at) => [`/redis/nodes/${at}`, node]) : [];
  return [['/redis/url', url] as const, ...named].flatMap(([pointer, text]) => {
    if (typeof text !== 'string' || !/^(redis|valkey)s?:\/\//.test(text)) return []; // the schema reports it
    const message = redisUrlFault(text.replace(/^valkey/, 'redis'));
    return message === undefined ? [] : [{ pointer, message }];
  });
}

/** Characters that a URL cannot have in its user and password, and how it writes them. */
const RESERVED: Readonly<Record<string, string>> = { '/': '%2F', '?': '%3F', '#': '%23', ' ': '%20' };
const NOT_ENCODED = 'has a % in its user or password that is not percent-encoded: write %25';

/** The characters of a URL's user and password that need percent-encoding. */
function reservedFault(text: string): string | undefined {
  const credentials = credentialsOf(text);
  const found = Object.keys(RESERVED).filter((character) => credentials.includes(character));
  if (found.length === 0) return undefined;
  const encoded = found.map((character) => `${character === ' ' ? 'a space' : character} as ${RESERVED[character]}`);
  return `has a reserved character in its user or password: write ${encoded.join(', ')}`;
}

const credentialsOf = (text: string) => text.slice(text.indexOf('//') + 2, Math.max(0, text.lastIndexOf('@')));

function redisUrlFault(text: string): string | undefined {
  const reserved = reservedFault(text);
  if (reserved !== undefined) return reserved;
  const url = URL.parse(text);
  if (!url) return /%(?![0-9a-f]{2})/i.test(credentialsOf(text)) ? NOT_ENCODED : 'must be a URL';
  if (!/^\/?\d*$/.test(url.pathname)) return 'must end in the number of a database, or in nothing: /0';
  try {
    decodeURIComponent(`${url.username}${url.password}`);
    return undefined;
  } catch {
    return NOT_ENCODED;
  }
}
