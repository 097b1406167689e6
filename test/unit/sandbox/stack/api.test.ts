import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { postTo } from '#sandbox/stack/api.ts';

const PROBLEM = { type: 'STREAM:COMMAND', status: 503, detail: 'Redis is out of reach', requestId: '1' };

const api = createServer(({ url }, response) => {
  if (url === '/stream/status') response.writeHead(503, { 'content-type': 'application/problem+json' });
  else response.writeHead(502, { 'content-type': 'text/plain' });
  response.end(url === '/stream/status' ? JSON.stringify(PROBLEM) : 'Bad gateway');
});
beforeAll(() => once(api.listen(0, 'localhost'), 'listening'));
afterAll(() => void api.close());

it('the console shows why a call was refused, in the words of its problem', async () => {
  const post = postTo((api.address() as AddressInfo).port);

  await expect(post('/stream/status', {})).rejects.toThrow(
    /^POST \/stream\/status returned 503: Redis is out of reach$/,
  );
  await expect(post('/nowhere', {})).rejects.toThrow(/^POST \/nowhere returned 502: Bad gateway$/);
});
