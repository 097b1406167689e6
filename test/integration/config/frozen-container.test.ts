import { afterEach, expect, it, jest } from '@jest/globals';
import { readConfig } from '#lib/config/config.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { readSecretsAt } from '#test/support/aws/secrets-environment.ts';
import { use } from '#test/support/jest/use.ts';

const secrets = await use(startSecretsManager());
readSecretsAt(secrets.url);
afterEach(() => {
  jest.restoreAllMocks();
});

const secretOf = (port: number) => ({ redis: { url: `redis://cache:${port}` } });

it('a container frozen for five minutes reads a changed secret, although its monotonic clock stood still', async () => {
  secrets.set('test/default', secretOf(6379));
  const before = await readConfig('default', 'stream');
  secrets.set('test/default', secretOf(6380));
  const realNow = Date.now;
  const unfreeze = (ms: number) => jest.spyOn(Date, 'now').mockImplementation(() => realNow() + ms);

  unfreeze(200_000);
  const kept = await readConfig('default', 'stream');
  unfreeze(300_000);
  const after = await readConfig('default', 'stream');

  expect(kept).toBe(before);
  expect(after.redis).toMatchObject(secretOf(6380).redis);
});
