import { expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { listen } from '#sandbox/network/listen.ts';

it('keeps an idle connection open for the next call', async () => {
  const { url, close } = await listen(createServer((_request, response) => void response.end()));

  const { headers } = await fetch(url);
  await close();

  expect(headers.get('keep-alive')).toBe('timeout=60');
});
