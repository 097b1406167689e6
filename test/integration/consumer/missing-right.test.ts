import { expect, it } from '@jest/globals';
import { handler as consumer } from '#functions/consumer/consumer/handler.ts';
import { CAUSES } from '#lib/contract/causes.ts';
import { stateKeyOf } from '#lib/consumer/redis-keys.ts';
import { invokeSource, problemOf } from '../../support/aws/source-handler.ts';
import { failure, recorder } from '../../support/consumer/consumer-fixture.ts';
import { useConsumer } from '../../support/consumer/use-consumer.ts';
import { use } from '../../support/jest/use.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';

const stack = await use(startMdmStack());
const fixture = await useConsumer('rights');
const redis = fixture.server;

it.each([
  ['the right to XACK', ['-xack'], '+xack'],
  ['the right to XCLAIM', ['-xclaim'], '+xclaim'],
  ['the key of the dead letters', ['resetkeys', '~orders', '~*orders*lease*'], 'the key {orders}:dead:mdm'],
])('a run whose user lacks %s names only that right, and reads no entry', async (_, rules, lacking) => {
  const user = `u-${rules[0]!.replace(/\W/g, '')}-${lacking.length}`;
  await redis.command('ACL', 'SETUSER', user, 'on', '>pass', '~*', '+@all', ...rules);
  stack.secrets.set(`test/${user}`, {
    mdm: stack.mdm.secret,
    redis: { url: redis.url.replace('//', `//${user}:pass@`) },
    ingest: { stream: 'orders', shards: 1, group: 'mdm' },
  });
  await redis.command('XGROUP', 'CREATE', 'orders', 'mdm', '0', 'MKSTREAM').catch(() => {});
  await redis.command('XADD', 'orders', '*', 'record', '{}');
  const requests = stack.mdm.requests.length;

  const problem = await problemOf(consumer, { configRef: user, stream: 'orders', group: 'mdm' });

  expect(problem).toMatchObject({ status: 502, upstreamCode: 'NOPERM', hint: CAUSES['redis-right'].hint });
  expect(problem.detail).toBe(`The Redis user ${user} has no permission for what a run needs: it lacks ${lacking}`);
  expect(await redis.command('XPENDING', 'orders', 'mdm')).toEqual(expect.arrayContaining([0]));
  expect(stack.mdm.requests).toHaveLength(requests);
});

it('a run needs no right to trim, nor to make a group that exists', async () => {
  await redis.command('ACL', 'SETUSER', 'lean', 'on', '>pass', '~*', '+@all', '-xtrim', '-xgroup|create');
  stack.secrets.set('test/lean', {
    mdm: stack.mdm.secret,
    redis: { url: redis.url.replace('//', '//lean:pass@') },
  });
  await redis.command('XGROUP', 'CREATE', 'lean', 'mdm', '0', 'MKSTREAM');

  const report = await invokeSource(consumer, { configRef: 'lean', stream: 'lean', group: 'mdm' });

  expect(report).toMatchObject({ stoppedBecause: 'drained' });
});

it('a run that loses the right to PEXPIRE meanwhile leaves nothing in Redis that never expires', async () => {
  await fixture.add('bad=1');
  const target = recorder(async () => {
    await fixture.send('ACL', 'SETUSER', 'default', '-pexpire');
    throw failure();
  });

  const problem = await fixture.run(target, { budgetMs: 2000 }).catch((error: unknown) => error);

  await fixture.send('ACL', 'SETUSER', 'default', '+pexpire');
  expect(problem).toMatchObject({ upstreamCode: 'NOPERM' });
  expect(Number(await fixture.send('PTTL', stateKeyOf(fixture.stream, fixture.group)))).not.toBe(-1);
});
