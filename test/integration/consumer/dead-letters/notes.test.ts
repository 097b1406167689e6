import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { deadLetterStreamOf, supersededKeyOf } from '#lib/consumer/redis-keys.ts';
import { redrive, type RedriveOptions } from '#lib/consumer/dead-letters/redrive.ts';
import { Deadline } from '#lib/core/deadline.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { recorder, refusal } from '#test/support/consumer/consumer-fixture.ts';
import { useConsumer } from '#test/support/consumer/use-consumer.ts';

const fixture = await useConsumer('notes');

const notes = () => supersededKeyOf(fixture.stream, fixture.group);
const ownLetters = () => deadLetterStreamOf(fixture.stream, fixture.group);

function putBack(options: Partial<RedriveOptions> = {}, redis: Redis = fixture.redis, withinMs = 20_000) {
  const { stream, group } = fixture;
  const all = { stream, group, deadLetterStream: ownLetters(), count: 100, force: false, dryRun: false, ...options };
  return redrive(redis, all, Deadline.after(withinMs));
}

const refuseAll = () => recorder(() => Promise.reject(refusal()));

/** Makes each of these entries a dead letter. */
async function bury(names: string[], deadLetterStream = ownLetters()): Promise<void> {
  await fixture.add(...names);
  await fixture.run(refuseAll(), { deadLetterStream, refusalLimit: 0, budgetMs: 20_000 });
}

/** Fields as versions left them that never removed any: those of keys and letters that are long gone. */
async function leaveNotes(count: number): Promise<void> {
  const fields = Array.from({ length: count / 2 }, (_, index) => [
    `r:${index + 1}-0`,
    `${index}-0`,
    `${index}`.padStart(32, 'f'),
    '0-0',
  ]);
  for (let index = 0; index < fields.length; index += 1000) {
    await fixture.send('HSET', notes(), ...fields.slice(index, index + 1000).flat());
  }
}

describe('many notes of removed letters', () => {
  it("notes of removed letters do not make a key's newest letter superseded", async () => {
    await leaveNotes(20_000);
    await bury(['a=1', 'a=2', 'stays=1']);
    await fixture.add('stays=2');
    await fixture.run(recorder());

    const calls = [await putBack({ count: 1 }), await putBack({ count: 1 })];
    const target = recorder();
    await fixture.run(target);

    expect(calls).toMatchObject([{ redriven: 1 }, { redriven: 1, remaining: 1 }]);
    expect(target.processed).toEqual(['a=1', 'a=2']);
  });

  it('notes of removed letters are deleted while another letter stays', async () => {
    const keys = Array.from({ length: 200 }, (_, index) => `k${index}`);
    await bury(['stays=1', ...keys.map((key) => `${key}=1`)]);
    await fixture.add('stays=2');
    await fixture.run(recorder());
    expect(await putBack({ count: 1000 })).toMatchObject({ redriven: 200, superseded: 1, remaining: 1 });
    await fixture.run(recorder());

    expect(await putBack()).toMatchObject({ redriven: 0, superseded: 1, remaining: 1 });

    expect(Number(await fixture.send('HLEN', notes()))).toBeLessThan(20);
  });
});

describe('letters in two dead-letter streams', () => {
  it('letters in two dead-letter streams stay superseded when one of the streams is empty', async () => {
    const other = `${ownLetters()}:other`;
    await bury(['a=1']);
    await bury(['b=1'], other);
    await fixture.add('b=2');
    await fixture.run(recorder(), { deadLetterStream: other, trim: true });

    const first = await putBack();
    const second = await putBack({ deadLetterStream: other });

    expect(first).toMatchObject({ redriven: 1, remaining: 0 });
    expect(second).toMatchObject({ redriven: 0, superseded: 1, remaining: 1 });
  });
});

describe('notes of a version without a list of dead-letter streams', () => {
  const other = () => `${ownLetters()}:other`;

  /**
   * The letters of two streams, the second one superseded, and their notes without what versions before did not note.
   */
  async function leaveLetters(): Promise<void> {
    await bury(['a=1']);
    await bury(['b=1'], other());
    await fixture.add('b=2');
    await fixture.run(recorder(), { deadLetterStream: other(), trim: true });
    await fixture.send('HDEL', notes(), 'streams');
  }

  it('old notes outlive the letters of one stream, since others may hold more', async () => {
    await leaveLetters();

    const calls = [await putBack(), await putBack({ deadLetterStream: other() })];

    expect(calls).toMatchObject([
      { redriven: 1, remaining: 0 },
      { redriven: 0, superseded: 1, remaining: 1 },
    ]);
  });

  it('old notes without a list of streams are removed when space is short; other letters then need force', async () => {
    await leaveLetters();
    await leaveNotes(20_000);

    expect(await putBack()).toMatchObject({ redriven: 1, remaining: 0 });

    expect(Number(await fixture.send('HLEN', notes()))).toBeLessThan(20);
    await expect(putBack({ deadLetterStream: other() })).rejects.toMatchObject({
      type: 'STREAM:COMMAND',
      status: 422,
      message: expect.stringContaining('use force'),
    });
    expect(await putBack({ deadLetterStream: other(), force: true })).toMatchObject({ redriven: 1, remaining: 0 });
  });
});

describe('20,000 redriven letters that wait', () => {
  const wait = async () => {
    await bury(['a=1', 'b=1']);
    await fixture.send('XGROUP', 'SETID', fixture.stream, fixture.group, '0');
    await leaveNotes(41_000); // their ages
    await fixture.send('XTRIM', fixture.stream, 'MAXLEN', '0');
  };

  it('20,000 waiting redriven letters keep further letters from being redriven', async () => {
    await wait();

    await expect(putBack()).rejects.toMatchObject({ type: 'STREAM:COMMAND', status: 422, temporary: true });

    expect(await fixture.send('XLEN', ownLetters())).toBe('2');
    expect(await putBack({ dryRun: true })).toMatchObject({ redriven: 0, remaining: 2 });
    expect(await putBack({ force: true })).toMatchObject({ redriven: 2, remaining: 0 });
  });

  it('the ages of 20,000 redriven letters are forgotten once they are processed', async () => {
    await wait();
    await fixture.send('XGROUP', 'SETID', fixture.stream, fixture.group, '$');

    expect(await putBack()).toMatchObject({ redriven: 2, remaining: 0 });
  });
});

it('a pending entry whose body was deleted supersedes no letter', async () => {
  const whole = (target = recorder()) => ({ ...target, keyFields: [] });
  await fixture.add('a=1');
  await fixture.run(whole(refuseAll()));
  const [id] = await fixture.add('a=2');
  await fixture.send('XREADGROUP', 'GROUP', fixture.group, 'c', 'STREAMS', fixture.stream, '>');
  await fixture.send('XDEL', fixture.stream, id!);

  const report = await fixture.run(whole());

  expect(report).toMatchObject({ deleted: 1 });
  expect(await putBack()).toMatchObject({ redriven: 1, superseded: 0 });
});

describe('a run works on an entry that was trimmed meanwhile', () => {
  /** Buries `a=1`, and begins a run that has `a=2` until it is let go. */
  async function begin() {
    await bury(['a=1']);
    await fixture.add('a=2');
    const [begun, done] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
    const target = recorder(() => {
      begun.resolve(undefined);
      return done.promise;
    });
    const run = fixture.run(target);
    await begun.promise;
    await fixture.send('XTRIM', fixture.stream, 'MAXLEN', '0');
    return { run, letGo: () => done.resolve(undefined) };
  }

  it('a redrive waits for the run, and leaves a letter that the entry supersedes', async () => {
    const { run, letGo } = await begin();

    const [report] = await Promise.all([putBack(), sleep(500).then(letGo)]);

    await run;
    expect(report).toMatchObject({ redriven: 0, superseded: 1, remaining: 1 });
  });

  it('a redrive without the time to wait puts nothing back, and says what helps', async () => {
    const { run, letGo } = await begin();

    await expect(putBack({}, fixture.redis, 500)).rejects.toMatchObject({
      type: 'STREAM:COMMAND',
      status: 504,
      outcome: 'refused',
      message: expect.stringMatching(
        /^No dead letter was put back\. A run works on entries .* pause the consumer first/,
      ),
    });

    expect(await putBack({ force: true })).toMatchObject({ redriven: 1 });
    letGo();
    await run;
  });
});

it('a redrive puts no letter behind an entry of its key that arrives at the same time', async () => {
  await bury(['a=1', 'b=1']);
  let isFirst = true;
  const redis: Redis = {
    slotOf: () => 0,
    async send(command) {
      if (isFirst && command.args.some((word) => String(word).includes("'XADD'"))) {
        isFirst = false;
        await fixture.add('a=2', ...Array.from({ length: 1500 }, (_, index) => `late${index}=1`));
      }
      return fixture.redis.send(command);
    },
  };

  const report = await putBack({}, redis);

  expect(isFirst).toBe(false);
  expect(report).toMatchObject({ redriven: 1, superseded: 1, remaining: 1 });
});
