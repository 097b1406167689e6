import { isIP } from 'node:net';
import { configurationError } from '../core/errors.ts';

/**
 * The address of the master data API, from the one that a login tells: without `/saas`, and with `-mdm` on the first
 * label of the host, once. Addresses that have no labels (an IP address, localhost) keep their host.
 *
 * @example
 * deriveBaseUrl('https://use4.dm-us.example.com/saas') // 'https://use4-mdm.dm-us.example.com'
 */
export function deriveBaseUrl(apiUrl: string): string {
  const url = new URL(apiUrl);
  const [first = '', ...rest] = url.hostname.split('.');
  if (rest.length > 0 && isIP(url.hostname) === 0 && !first.endsWith('-mdm')) {
    url.hostname = [`${first}-mdm`, ...rest].join('.');
  }
  url.pathname = url.pathname.replace(/\/saas\/?$/, '');
  return withoutSlash(url.href);
}

/**
 * Lets only HTTPS pass, and HTTP to this machine itself.
 *
 * @param name where the address stands in the secret, for the error
 * @returns the address without a slash at its end
 */
export function checkSecure(address: string, name: string): string {
  const { protocol, hostname } = new URL(address);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  if (protocol === 'https:' || isLoopback) return withoutSlash(address);
  throw configurationError('The secret', [{ pointer: `/mdm/${name.replaceAll('.', '/')}`, message: 'must be HTTPS' }]);
}

const withoutSlash = (address: string) => address.replace(/\/+$/, '');
