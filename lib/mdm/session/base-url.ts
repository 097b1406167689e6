import { isIP } from 'node:net';

/**
 * The address of the master data API, derived from the address in a login's response: without `/saas`, and with `-mdm`
 * appended to the first label of the host. IP addresses and localhost keep their host.
 *
 * @example
 * deriveBaseUrl('https://use4.dm-us.example.com/saas') // 'https://use4-mdm.dm-us.example.com'
 */
export function deriveBaseUrl(apiUrl: string): string {
  const { protocol, hostname, port, pathname } = new URL(apiUrl); // drops credentials, query and fragment
  const [first = '', ...rest] = hostname.split('.');
  const hasLabels = rest.length > 0 && isIP(hostname) === 0;
  const host = hasLabels && !first.endsWith('-mdm') ? [`${first}-mdm`, ...rest].join('.') : hostname;
  return withoutSlash(`${protocol}//${host}${port && `:${port}`}${pathname.replace(/\/saas\/?$/, '')}`);
}

/** An address without trailing slashes. */
export function withoutSlash(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}
