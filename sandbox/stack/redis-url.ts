import { ScriptError } from '#scripts/build/script-error.ts';

/**
 * The address of a Redis.
 *
 * @param name where the address stands
 * @throws {ScriptError} for an invalid address
 */
export function checkRedisUrl(text: string, name = 'REDIS_URL'): URL {
  const url = URL.parse(text);
  if (url && /^rediss?:$/.test(url.protocol)) return url;
  throw new ScriptError(`${name} must be an address such as redis://localhost:6379`);
}
