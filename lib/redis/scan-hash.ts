import type { Redis } from './redis.ts';

/**
 * The fields of a hash in portions: names and values in turn. What is changed meanwhile may be missing or come twice.
 *
 * @param count about so many fields per command
 * @throws {ConnectorError} `STREAM:*`
 */
export async function* scanHash(redis: Redis, key: string, count: number): AsyncGenerator<readonly string[]> {
  let cursor = '0';
  do {
    const args = ['HSCAN', key, cursor, 'COUNT', String(count)];
    const [next, pairs] = await redis.send({ key, args, decode: (reply) => reply as [string, string[]] });
    yield pairs;
    cursor = next;
  } while (cursor !== '0');
}
