import { isIP } from 'node:net';

/**
 * Address of the master data API, from the address in a login's response: without `/saas`, and with `-mdm` on the first
 * label of the host, once. Addresses without labels (an IP address, localhost) keep their host.
 *
 * @example
 * deriveBaseUrl('https://use4.dm-us.example.com/saas') // 'https://use4-mdm.dm-us.example.com'
 */
export function deriveBaseUrl(apiUrl: string): string {
  const { protocol, hostname, port, pathname } = new URL(apiUrl); // any credentials, query or fragment stay behind
  const [first = '', ...rest] = hostname.split('.');
  const hasLabels = rest.length > 0 && isIP(hostname) === 0;
  const host = hasLabels && !first.endsWith('-mdm') ? [`${first}-mdm`, ...rest].join('.') : hostname;
  return withoutSlash(`${protocol}//${host}${port && `:${port}`}${pathname.replace(/\/saas\/?$/, '')}`);
}

/** An address without slashes at its end, so that a path can follow. */
export function withoutSlash(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}
