import { readFileSync } from 'node:fs';
import type { RedisServer } from '#sandbox/redis/redis-server.ts';

const page = readFileSync(new URL('../../../docs/redis.md', import.meta.url), 'utf8');

/**
 * Creates a user of docs/redis.md, exactly as it stands there. Of a user with a second line for newer servers, that one
 * is run too where the server knows its commands.
 *
 * @example
 * await createDocumentedUser(server, 'streams', 'secret');
 */
export async function createDocumentedUser(server: RedisServer, user: string, password: string): Promise<void> {
  const [first, ...newer] = [...page.matchAll(new RegExp(`^ACL SETUSER (${user} .*)$`, 'gm'))].map(([, words]) =>
    words!.replace('>password', `>${password}`).split(' '),
  );
  await server.command('ACL', 'SETUSER', ...first!);
  for (const words of newer) {
    await server.command('ACL', 'SETUSER', ...words).catch((error: Error) => {
      if (!/Unknown command/.test(error.message)) throw error;
    });
  }
}
