import { describe, expect, it } from '@jest/globals';
import { handler } from '#functions/consumer/consumer/handler.ts';
import { deadLetterStreamOf, supersededKeyOf } from '#lib/consumer/redis-keys.ts';
import { forgetConfig } from '#lib/config/config.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { recorder, refusal } from '#test/support/consumer/consumer-fixture.ts';
import { invokeSource } from '#test/support/aws/source-handler.ts';
import { readSecretsAt } from '#test/support/aws/secrets-environment.ts';
import { use } from '#test/support/jest/use.ts';
import { useConsumer } from '#test/support/consumer/use-consumer.ts';

/* `ingest.deadLetterMaxAgeMs`: a run by the secret's settings deletes letters that are older. */

const DAY_MS = 86_400_000;
/** Adds letters of another group. */
const THEIRS = `for n = 1, tonumber(ARGV[1]) do
  redis.call('XADD', KEYS[1], n .. '-0', 'name', 'theirs', 'dl-stream', 'x', 'dl-group', 'others')
end`;

const fixture = await useConsumer('expiry');
const secrets = await use(startSecretsManager());
readSecretsAt(secrets.url);

const shard = () => `${fixture.stream}:0`;
const lettersKey = () => deadLetterStreamOf(shard(), fixture.group);

/** A run of the function, for a secret with one shard. */
async function run(
  { deadLetterStream, ...ingest }: { deadLetterMaxAgeMs?: number; deadLetterStream?: string },
  parameters = {},
) {
  const consumer = { target: 'target', deadLetterStream };
  const all = { stream: fixture.stream, shards: 1, group: fixture.group, ...ingest, consumer };
  const redis = { url: `redis://127.0.0.1:${fixture.server.port}` };
  secrets.set('test/one', JSON.stringify({ redis, ingest: all }));
  forgetConfig('one');
  await invokeSource(handler, { configRef: 'one', ...parameters });
}

async function addLetter(ageMs: number, name: string, group = fixture.group, key = lettersKey()): Promise<void> {
  const id = `${Date.now() - ageMs}-*`;
  await fixture.send('XADD', key, id, 'name', name, 'dl-stream', shard(), 'dl-group', group);
}

const names = async (key = lettersKey()) =>
  (await fixture.send<[string, string[]][]>('XRANGE', key, '-', '+')).map(([, [, name]]) => name);

describe('dead letters older than ingest.deadLetterMaxAgeMs', () => {
  it('a run deletes dead letters older than ingest.deadLetterMaxAgeMs, and keeps younger ones', async () => {
    await addLetter(3 * DAY_MS, 'old');
    await addLetter(2 * DAY_MS, 'old too');
    await addLetter(DAY_MS / 2, 'young');

    await run({ deadLetterMaxAgeMs: DAY_MS });

    expect(await names()).toEqual(['young']);
  });

  it('dead letters stay if the secret sets no age, or if the call names their stream', async () => {
    await addLetter(300 * DAY_MS, 'old');

    await run({});
    await run({ deadLetterMaxAgeMs: DAY_MS }, { stream: shard(), group: fixture.group, target: 'target' });

    expect(await names()).toEqual(['old']);
  });

  it('old dead letters of other groups stay in a shared dead-letter stream', async () => {
    const shared = `{${shard()}}:letters`;
    await addLetter(3 * DAY_MS, 'ours', fixture.group, shared);
    await addLetter(2 * DAY_MS, 'theirs', 'others', shared);

    await run({ deadLetterMaxAgeMs: DAY_MS, deadLetterStream: shared });

    expect(await names(shared)).toEqual(['theirs']);
  });

  it('old dead letters behind thousands of another group are deleted by the next run', async () => {
    const shared = `{${shard()}}:crowded`;
    await fixture.send('EVAL', THEIRS, '1', shared, '5100');
    await addLetter(2 * DAY_MS, 'ours', fixture.group, shared);
    const isThere = async () => (await names(shared)).includes('ours');

    await run({ deadLetterMaxAgeMs: DAY_MS, deadLetterStream: shared });
    const afterOne = await isThere();
    await run({ deadLetterMaxAgeMs: DAY_MS, deadLetterStream: shared });

    expect([afterOne, await isThere()]).toEqual([true, false]);
  });

  it('expired dead letters are deleted in portions, no matter how many there are', async () => {
    for (let index = 0; index < 1200; index++) await addLetter(3 * DAY_MS - index, `old ${index}`);

    await run({ deadLetterMaxAgeMs: DAY_MS });

    expect(await names()).toEqual([]);
  });

  it("expired dead letters take their keys' notes with them, and leave those of other letters", async () => {
    const [stream, letters] = [shard(), lettersKey()];
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
    await fixture.send('DEL', letters);
    for (const key of keys) await fixture.send('XADD', stream, '*', 'k', key, 'v', '1');
    await runAt(stream);
    const buried = await fixture.send<[string, string[]][]>('XRANGE', letters, '-', '+');
    await fixture.send('DEL', letters);
    for (const [index, [, fields]] of buried.entries()) {
      const age = index === buried.length - 1 ? 0 : 3 * DAY_MS;
      await fixture.send('XADD', letters, `${Date.now() - age}-*`, ...fields);
    }
    const notes = () => fixture.send('HLEN', supersededKeyOf(stream, fixture.group));
    const before = Number(await notes());

    await run({ deadLetterMaxAgeMs: DAY_MS });

    expect(buried).toHaveLength(40);
    expect(before).toBeGreaterThan(40);
    expect(await names()).toHaveLength(1);
    expect(Number(await notes())).toBeLessThan(8);
  });
});

it('the next run removes the notes of manually deleted dead letters', async () => {
  const stream = shard();
  const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
  for (const key of keys) await fixture.send('XADD', stream, '*', 'k', key, 'v', '1');
  await runAt(stream);
  const notes = async () => Number(await fixture.send('HLEN', supersededKeyOf(stream, fixture.group)));
  const before = await notes();
  await run({});
  const whileNeeded = await notes();
  await fixture.send('XTRIM', lettersKey(), 'MAXLEN', '1');

  await run({});

  expect([before, whileNeeded]).toEqual([42, 42]);
  expect(await notes()).toBeLessThan(8);
});

/** A run of the engine over one shard, whose target refuses every entry. */
async function runAt(stream: string): Promise<void> {
  const base = fixture.stream;
  fixture.stream = stream;
  const refuseAll = recorder(() => Promise.reject(refusal()));
  await fixture.run(refuseAll, { refusalLimit: 0, deadLetterStream: deadLetterStreamOf(stream, fixture.group) });
  fixture.stream = base;
}
