import { expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { startConsole } from '#sandbox/console/server.ts';
import { listen } from '#sandbox/network/listen.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import type { FrontParts } from '#sandbox/stack/stack.ts';

it('passes each call on over a connection of its own, since the API closes idle ones', async () => {
  const connections = new Set<unknown>();
  const upstream = await listen(
    createServer((request, response) => {
      connections.add(request.socket);
      response.end('from the API');
    }),
  );
  const [port, parts] = [await freePort(), { logPath: 'none' } as FrontParts];
  const front = await startConsole(port, Number(new URL(upstream.url).port), parts);
  const call = async () => (await fetch(`http://127.0.0.1:${port}/openapi.json`)).text();

  const responses = [await call(), await call()];
  await front.close();
  await upstream.close();

  expect(responses).toEqual(['from the API', 'from the API']);
  expect(connections.size).toBe(2);
});
