/** Clocks that differ by less count as equal: a `Date` header has whole seconds, and takes time to arrive. */
const CLOCK_TOLERANCE_MS = 5_000;
/** The vendor recommends to log in again this long before a token ends. */
const RENEW_AHEAD_MS = 5 * 60_000;

/**
 * The life of a session id from its login, in milliseconds, if it is a JWT with an `exp`; otherwise undefined.
 *
 * Measured on the service's clock, so that a wrong clock of this machine neither ends a valid token nor prolongs an
 * expired one. A token that would arrive expired has no known end: only a 401 ends it.
 *
 * @param date the `Date` header of the login's response
 */
export function lifeOf(id: string, date: string | null): number | undefined {
  const { exp, iat } = claimsOf(id);
  if (exp === undefined) return undefined;
  const lifeMs = exp * 1000 - serverNow(date);
  if (lifeMs > 0) return lifeMs;
  const wholeLifeMs = iat === undefined ? 0 : (exp - iat) * 1000;
  return wholeLifeMs > 0 ? wholeLifeMs : undefined;
}

/**
 * The life of a session that ends at a time of the service, in milliseconds from its login; undefined if no such time
 * is given, or if it has passed.
 *
 * @param endsAt the time, as ISO 8601
 * @param date the `Date` header of the login's response
 */
export function lifeUntil(endsAt: unknown, date: string | null): number | undefined {
  const lifeMs = typeof endsAt === 'string' ? Date.parse(endsAt) - serverNow(date) : NaN;
  return lifeMs > 0 ? lifeMs : undefined;
}

/** The time on the service's clock. This machine's clock counts if they agree, because it is finer. */
function serverNow(date: string | null): number {
  const serverTime = Date.parse(date ?? '');
  return Math.abs(serverTime - Date.now()) > CLOCK_TOLERANCE_MS ? serverTime : Date.now();
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
