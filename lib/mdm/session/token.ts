/** Clocks that differ by less are taken to agree: a `Date` header knows whole seconds, and travels a while. */
const CLOCK_TOLERANCE_MS = 5_000;
/** The vendor advises to log in again this long before a token ends. */
const RENEW_AHEAD_MS = 5 * 60_000;

/**
 * How long a session id lives from its login, in milliseconds, where it is a JWT with an `exp`; else undefined.
 *
 * The end is measured on the clock of the service, so that a wrong clock of this machine neither ends a token that lives
 * nor prolongs one that is dead. A token that would be dead on arrival has no known end: only a 401 ends it.
 *
 * @param date the `Date` header of the login's response
 */
export function lifeOf(id: string, date: string | null): number | undefined {
  const { exp, iat } = claimsOf(id);
  if (exp === undefined) return undefined;
  const serverTime = Date.parse(date ?? '');
  const isAgreed = !(Math.abs(serverTime - Date.now()) > CLOCK_TOLERANCE_MS); // NaN, too: then ours is the only one
  const lifeMs = exp * 1000 - (isAgreed ? Date.now() : serverTime);
  if (lifeMs > 0) return lifeMs;
  const wholeLifeMs = iat === undefined ? 0 : (exp - iat) * 1000;
  return wholeLifeMs > 0 ? wholeLifeMs : undefined;
}

/** How long before its end a session is renewed: five minutes, or the last fifth of a shorter life. */
export const renewAheadOf = (lifeMs: number) => Math.min(RENEW_AHEAD_MS, lifeMs * 0.2);

function claimsOf(id: string): { exp?: number; iat?: number } {
  const [, claims = '', signature] = id.split('.');
  if (signature === undefined) return {};
  try {
    const { exp, iat } = (JSON.parse(Buffer.from(claims, 'base64url').toString()) ?? {}) as Record<string, unknown>;
    return { exp: finite(exp), iat: finite(iat) };
  } catch {
    return {};
  }
}

const finite = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
