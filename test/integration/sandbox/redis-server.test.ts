import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';

it('a redis-server whose port another process took meanwhile starts on another', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const taken = (other.address() as AddressInfo).port;
  const ports: number[] = [];
  const args = ({ port }: { port: number }) => {
    ports.push(port);
    return ports.length === 1 ? ['--port', String(taken)] : [];
  };

  const server = await startRedisServer({ args });

  expect(await server.command('PING')).toBe('PONG');
  expect(ports).toEqual([expect.any(Number), server.port]);
  await server.stop();
  other.close();
});
