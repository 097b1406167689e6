import { describe, expect, it } from '@jest/globals';
import { stateKeyOf } from '#lib/consumer/redis-keys.ts';
import { failure, outage, recorder } from '../../support/consumer/consumer-fixture.ts';
import { useConsumer } from '../../support/consumer/use-consumer.ts';

const fixture = await useConsumer('order');

/** Fails the first attempts of these entries. */
function failing(times: Record<string, number>, error: () => Error) {
  return (name: string) => {
    if ((times[name] ?? 0) > 0) {
      times[name]!--;
      throw error();
    }
  };
}

describe('entries of one key', () => {
  it('entries of a key wait for a failed one, while other keys continue', async () => {
    await fixture.add('a=1', 'a=2', 'b=1', 'a=3', 'b=2');
    const target = recorder(failing({ 'a=1': 2 }, failure));

    const report = await fixture.run(target);

    expect(target.processed).toEqual(['b=1', 'b=2', 'a=1', 'a=2', 'a=3']);
    expect(report).toMatchObject({ processed: 5, failed: 2, pending: 0 });
  });

  it('entries of a key wait for a failed one in later runs too, including newly added ones', async () => {
    await fixture.add('a=1', 'a=2', 'b=1');
    const target = recorder(failing({ 'a=1': 1 }, failure));
    const first = await fixture.run(target, { backoffMs: 60_000 });
    await fixture.add('a=3', 'b=2');

    const second = await fixture.run(target, { backoffMs: 60_000 });

    expect(target.processed).toEqual(['b=1', 'b=2']);
    expect([first.pending, second.pending]).toEqual([2, 3]);
    await fixture.send('DEL', stateKeyOf(fixture.stream, 'g')); // losing it restarts counts and back-off, nothing else
    await fixture.run(target);
    expect(target.processed).toEqual(['b=1', 'b=2', 'a=1', 'a=2', 'a=3']);
  });

  it('an entry starts only after the previous one of its key is acknowledged', async () => {
    await fixture.add('a=1', 'a=2');
    const pendingAtStart: number[] = [];
    const target = recorder(async () => void pendingAtStart.push((await fixture.pending()).length));

    await fixture.run(target);

    expect(pendingAtStart).toEqual([2, 1]);
  });

  it('entries held back by a failed one lose no deliveries, since they were not attempted', async () => {
    await fixture.add('a=1', 'a=2');

    await fixture.run(recorder(failing({ 'a=1': 1 }, failure)), { backoffMs: 60_000 });

    expect((await fixture.pending()).map(([, , , deliveries]) => deliveries)).toEqual(['0', '0']); // no end is unknown
    const state = await fixture.send<string[]>('HGETALL', stateKeyOf(fixture.stream, 'g'));
    const entries = state.filter((_, index) => state[index - (index % 2)]!.startsWith('e:'));
    expect(entries).toEqual([expect.stringMatching(/^e:/), expect.stringMatching(/^1,0,\d{13},\d{13},[0-9a-f]{8}$/)]);
  });
});

it('Retry-After of a 503 delays one key, while other keys continue', async () => {
  await fixture.add('a=1', 'b=1');
  const target = recorder((name) => {
    if (name === 'a=1') throw Object.assign(outage(), { retryAfterMs: 60_000 });
  });

  const first = await fixture.run(target);
  const second = await fixture.run(target);

  expect(target.attempted).toEqual(['a=1', 'b=1']);
  expect([first, second]).toMatchObject([{ processed: 1, stoppedBecause: 'drained' }, { pending: 1 }]);
});

it('many pending entries stop the reading of new ones, and are listed in bounded pages', async () => {
  await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0', 'MKSTREAM');
  await fixture.add(...Array.from({ length: 10_500 }, (_, index) => `k=${index}`));
  await fixture.send('XREADGROUP', 'GROUP', 'g', 'someone', 'COUNT', '10400', 'STREAMS', fixture.stream, '>');
  const target = recorder();

  const report = await fixture.run(target, { backoffMs: 600_000, viewLimit: 10_000 });

  expect(target.attempted).toEqual([]);
  expect(report).toMatchObject({ read: 0, pending: 10_400, lag: 100, stoppedBecause: 'backpressure' });
});
