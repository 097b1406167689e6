import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { restKeyOf } from '#lib/consumer/redis-keys.ts';
import { pause } from '#lib/consumer/operator/pause.ts';
import { ConsumerFixture, recorder, refusal } from '../../support/consumer/consumer-fixture.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { environmentAt } from '../../support/aws/secrets-environment.ts';
import { BARE_ENVIRONMENT } from '../../support/bare-environment.ts';
import { use } from '../../support/jest/use.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/status.ts', import.meta.url));
const run = promisify(execFile);

const fixture = await use(ConsumerFixture.open());

const status = async (...more: string[]) => {
  const args = ['--disable-warning=ExperimentalWarning', SCRIPT, ...more, '--redis-url', fixture.server.url];
  return (await run(process.execPath, args)).stdout;
};

it('npm run status shows every shard, its group, and its dead letters by reason', async () => {
  for (const shard of [0, 1]) {
    fixture.stream = `status:${shard}`;
    await fixture.add('a=1', 'b=2');
    await fixture.run(recorder((name) => (name === 'a=1' ? Promise.reject(refusal()) : undefined)));
  }
  await fixture.add('c=3');
  await fixture.send('SET', restKeyOf('status:1', 'g'), '', 'PX', '60000');
  await pause(fixture.redis, { streams: ['status:1'], group: 'g', forMs: 60_000 });

  const table = await status('status');

  expect(table).toMatch(
    /stream +length +group +lag +oldest unread +pending +oldest pending +run +breaker +calls\/s +dead letters/,
  );
  expect(table).toMatch(/status:0 +2 +g +0 +– +0 +– +idle +closed +– +1/);
  expect(table).toMatch(/status:1 +3 +g +1 +\d+ m?s +0 +– +paused until 20\S+ +open, rests \d+ s +– +1/);
  expect(table).toMatch(/status:1 +g +1 +MDM:CLIENT_ERROR +The API answered 422/);
});

it('npm run status shows one shard, a given number of shards, or one group on request', async () => {
  await fixture.send('XGROUP', 'CREATE', 'status:0', 'audit', '0');

  expect(await status('status:0', '--group', 'audit')).toMatch(
    /^stream[^\n]*\n[^\n]*\nstatus:0 +2 +audit +2 [^\n]*\n$/,
  );
  expect(await status('status', '--shards', '1')).not.toContain('status:1');
});

it.each([
  ['without a stream', []],
  ['with the name of the stream', ['status']],
])('npm run status %s shows the dead letters in the stream that the secret names for them', async (_, asked) => {
  const ingest = { stream: 'status', shards: 2, group: 'g', consumer: { deadLetterStream: 'letters' } };
  const secrets = await startSecretsManager({ 'test/default': { redis: { url: fixture.server.url }, ingest } });
  await fixture.send(
    'XADD',
    'letters',
    '*',
    'dl-stream',
    'status:1',
    'dl-group',
    'g',
    'dl-reason',
    'in a shared stream',
  );
  const env = { ...BARE_ENVIRONMENT, ...environmentAt(secrets.url) };
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, ...asked], { env });
  await secrets.close();
  await fixture.send('DEL', 'letters');

  expect(stdout).toMatch(/status:1 +g +1 +\S* +in a shared stream/);
});

it('npm run status says if there is no such stream', async () => {
  await expect(status('nowhere')).rejects.toThrow('There is no stream nowhere');
});
