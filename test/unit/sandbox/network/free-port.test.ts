import { expect, it } from '@jest/globals';
import { freePort } from '#sandbox/network/free-port.ts';

it('gives no port a second time while its server may still be starting', async () => {
  const ports = new Set<number>();
  for (let asked = 0; asked < 600; asked++) ports.add(await freePort());

  expect(ports.size).toBe(600);
});
