import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConsumerFixture, recorder, refusal } from '../support/consumer-fixture.ts';

const SCRIPT = new URL('../../scripts/consumer.ts', import.meta.url).pathname;
const run = promisify(execFile);
let fixture: ConsumerFixture;

beforeAll(async () => {
  fixture = await ConsumerFixture.open();
});
afterAll(() => fixture.close());

const status = async (stream: string) => {
  const args = ['--disable-warning=ExperimentalWarning', SCRIPT, '--status', stream, '--redis-url', fixture.server.url];
  return (await run(process.execPath, args)).stdout;
};

it('shows every shard, its group, and its dead letters by reason', async () => {
  for (const shard of [0, 1]) {
    fixture.stream = `status:${shard}`;
    await fixture.add('a=1', 'b=2');
    await fixture.run(recorder((name) => (name === 'a=1' ? Promise.reject(refusal()) : undefined)));
  }
  await fixture.add('c=3');

  const table = await status('status');

  expect(table).toMatch(/stream +length +group +lag +pending +oldest +run +dead letters/);
  expect(table).toMatch(/status:0 +2 +g +0 +0 +– +idle +1/);
  expect(table).toMatch(/status:1 +3 +g +1 +0 +– +idle +1/);
  expect(table).toMatch(/status:1 +g +1 +MDM:CLIENT_ERROR +The API answered 422/);
});

it('says so where there is no such stream', async () => {
  await expect(status('nowhere')).rejects.toThrow('There is no stream nowhere');
});
