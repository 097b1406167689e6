import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Deadline } from '#lib/core/deadline.ts';
import { Pool } from '#lib/redis/pool.ts';
import type { RedisConfig } from '#lib/config/config.schema.ts';
import { asItShips } from '../../support/aws/as-it-ships.ts';
import { use } from '../../support/jest/use.ts';

/*
 * A server whose reply cannot be decoded: what follows on its connection would be taken for the replies of other calls.
 */

const ways: Record<string, { Pool: typeof Pool }> = { 'from its sources': { Pool } };
const IN_FLIGHT = 3;
let connections: Socket[];
/** What the server sends, each part on its own, once it has received all commands. */
let replies: string[];

const shipped = await use(asItShips<{ Pool: typeof Pool }>('lib/redis/pool.ts'));
ways['as it ships'] = shipped.module;
const server = createServer((socket) => {
  connections.push(socket.setNoDelay(true));
  const name = `127.0.0.1\r\n`;
  const { port } = server.address() as { port: number };
  const slots = `*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$9\r\n${name}:${port}\r\n$4\r\nnode\r\n`;
  let received = 0;
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    const text = chunk.toString('latin1');
    if (text.includes('SLOTS')) return void socket.write(slots);
    received += text.split('XLEN').length - 1;
    if (received === IN_FLIGHT) void send(socket);
    if (received > IN_FLIGHT) socket.write(':9\r\n');
    return undefined;
  });
}).listen(0, '127.0.0.1');
await once(await use(server), 'listening');
beforeEach(() => {
  connections = [];
});

async function send(socket: Socket): Promise<void> {
  for (const reply of replies) {
    socket.write(reply, 'latin1');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function open(way: string, mode: 'standalone' | 'cluster') {
  const url = `redis://127.0.0.1:${(server.address() as { port: number }).port}`;
  const config = { mode, url, nodes: [url], connectTimeoutMs: 2000, commandTimeoutMs: 2000 } as RedisConfig;
  const pool = new ways[way]!.Pool(config);
  const length = () => pool.send({ key: 's', args: ['XLEN', 's'], decode: (reply) => reply }, Deadline.after(2000));
  return { pool, length };
}

describe.each(['from its sources', 'as it ships'])('an undecodable reply, %s', (way) => {
  describe.each(['standalone', 'cluster'] as const)('from a server in mode %s', (mode) => {
    it.each([
      ['of a type that RESP2 has not', ['=7\r\ntxt:abc\r\n', ':2\r\n:3\r\n']],
      ['in one packet with others', ['=7\r\ntxt:abc\r\n:2\r\n:3\r\n']],
      ['that is cut short', ['=7\r\ntx', 't:abc\r\n:2\r\n', ':3\r\n']],
      ['whose length is no number', ['$x\r\nabc\r\n', ':2\r\n:3\r\n']],
      ['that is longer than it says', ['$2\r\nabc\r\n', ':2\r\n:3\r\n']],
    ])("an undecodable reply %s ends its connection, and no call takes another's reply", async (_, sent) => {
      replies = sent;
      const { pool, length } = open(way, mode);

      const settled = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, length));

      const unreached = { status: 'rejected', reason: { type: 'STREAM:COMMAND', status: 503, temporary: true } };
      expect(settled).toMatchObject(Array(IN_FLIGHT).fill(unreached));
      const last = connections.at(-1)!;
      if (!last.destroyed) await once(last, 'close');

      replies = [':1\r\n:2\r\n:3\r\n'];
      expect(await Promise.all(Array.from({ length: IN_FLIGHT }, length))).toEqual(['1', '2', '3']);
      pool.retire();
    });
  });
});
