import { afterEach, expect, it } from '@jest/globals';
import { startFaultFixture } from '../../support/mdm/fault-fixture.ts';
import { use } from '../../support/jest/use.ts';

/* Commands and options that not every server has. Whether this one has them, it says itself. */

const fixture = await use(startFaultFixture());
afterEach(() => fixture.clear());

const once = { entry: { a: '1' }, idempotency: { producer: 'p', id: 'i' } };

it('a server is asked once per connection for its commands, and repeated calls have the same result', async () => {
  const server = await fixture.redisServer();
  fixture.use(server.url);

  const [first, second] = [await fixture.call('xadd', once), await fixture.call('xadd', once)];

  expect(second).toEqual(first);
  if (first.status !== 200) expect(first.error?.message).toMatch(/needs Redis 8\.6 or newer/);
  const stats = String(await server.command('INFO', 'commandstats'));
  expect(stats).toContain('cmdstat_command|docs:calls=1,');
});

it('a command that the server lacks is not sent to it', async () => {
  const server = await fixture.redisServer();
  fixture.use(server.url);

  const { status } = await fixture.call('xdelex', { ids: ['1-0'] });

  const stats = String(await server.command('INFO', 'commandstats'));
  expect(stats.includes('cmdstat_xdelex')).toBe(status === 200);
});

it('a user that may not ask for commands gets the same result', async () => {
  fixture.use((await fixture.redisServer()).url);
  const { status, error } = await fixture.call('xadd', once);
  await fixture.clear();
  const other = await fixture.redisServer();
  await other.command('ACL', 'SETUSER', 'limited', 'on', '>secret', '~*', '-@all', '+xadd', '+ping');

  fixture.use(other.url.replace('//', '//limited:secret@'));
  const limited = await fixture.call('xadd', once);

  expect({ status: limited.status, error: limited.error }).toEqual({ status, error });
});
