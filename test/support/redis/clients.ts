import type { RedisServer } from '#sandbox/redis/redis-server.ts';

/** How many clients a server has. The one that asks is one of them. */
export async function clientsOf({ command }: Pick<RedisServer, 'command'>): Promise<number> {
  return Number(/connected_clients:(\d+)/.exec(String(await command('INFO', 'clients')))![1]);
}
