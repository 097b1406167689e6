import type { Requested } from './http-response.ts';

/**
 * Names the service of a request, for errors: `the login at example.com/saas/public/core/v3/login`. The path of a call
 * of the API stays out, because it contains keys.
 */
export function serviceName(requested: Requested | undefined): string {
  if (!requested) return 'the master data API';
  const { host, pathname } = new URL(requested.url);
  if (requested.purpose === 'token') return `the token endpoint at ${host}${pathname}`;
  return requested.purpose === 'login' ? `the login at ${host}${pathname}` : `the master data API at ${host}`;
}

/** The same at the beginning of a sentence. */
export function serviceNameFirst(requested: Requested | undefined): string {
  const name = serviceName(requested);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The texts of the path and the query of a request, which may be keys; none of a login's. */
export function textsOf({ url, purpose }: Requested): string[] {
  if (purpose === 'login' || purpose === 'token') return [];
  const { pathname, searchParams } = new URL(url);
  return [...pathname.split('/').map(decoded), ...searchParams.values()].filter((text) => text !== '');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
