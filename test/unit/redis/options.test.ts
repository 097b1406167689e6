import { expect, it } from '@jest/globals';
import { rootCertificates } from 'node:tls';
import { serverOptions } from '#lib/redis/options.ts';
import type { RedisConfig } from '#lib/config/config.schema.ts';

const config = { mode: 'standalone', connectTimeoutMs: 3000, commandTimeoutMs: 5000 } as RedisConfig;
const socketOf = (more: Partial<RedisConfig>, url = 'rediss://redis.example:6380') =>
  serverOptions(url, { ...config, ...more }).socket as Record<string, unknown>;

it("the client trusts the secret's CA along with the public ones, or only Node's if there is none", () => {
  expect(socketOf({ ca: 'PEM' }).ca).toEqual([...rootCertificates, 'PEM']);
  expect(socketOf({})).not.toHaveProperty('ca');
});

it.each([
  ['the host', {}, 'rediss://redis.example:6380', 'redis.example'],
  ['servername, where there is one', { servername: 'other' }, 'rediss://redis.example:6380', 'other'],
  ['no name at an IP address', {}, 'rediss://10.0.0.1:6380', undefined],
])('the TLS handshake asks for %s', (_what, more, url, servername) => {
  expect(socketOf(more, url).servername).toBe(servername);
});
