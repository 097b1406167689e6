import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { recorder, refusal } from '../../support/consumer/consumer-fixture.ts';
import { useConsumer } from '../../support/consumer/use-consumer.ts';

const fixture = await useConsumer('delivery');

describe('a run', () => {
  it('a run carries every entry to the target and acknowledges it', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `k${index % 37}=${index}`);
    await fixture.add(...names);
    const target = recorder();

    const report = await fixture.run(target);

    expect(target.processed.toSorted()).toEqual(names.toSorted());
    expect(report).toMatchObject({
      read: 1000,
      processed: 1000,
      failed: 0,
      pending: 0,
      lag: 0,
      stoppedBecause: 'drained',
    });
    expect(await fixture.pending()).toEqual([]);
  });

  it('a run creates a missing stream and group once', async () => {
    const first = await fixture.run(recorder());
    const second = await fixture.run(recorder());

    expect([first.groupsCreated, second.groupsCreated]).toEqual([1, 0]);
  });

  it('a run creates a missing group at startId, and skips the entries up to it', async () => {
    const [, startId] = await fixture.add('a=1', 'b=2', 'c=3', 'd=4');
    const target = recorder();

    const report = await fixture.run(target, { startId });

    expect(target.processed.sort()).toEqual(['c=3', 'd=4']);
    expect(report).toMatchObject({ groupsCreated: 1, read: 2, processed: 2 });
  });

  it('a run with the startId $ skips what came before the group, also before a group that is made again', async () => {
    const target = recorder();
    const run = () => fixture.run(target, { startId: '$' });
    await fixture.add('a=1');
    await run();
    await fixture.add('a=2');
    await run();
    await fixture.send('DEL', fixture.stream);
    await fixture.add('a=3');
    await run();
    await fixture.add('a=4');
    await run();

    expect(target.processed).toEqual(['a=2', 'a=4']);
  });
});

describe('poison entries', () => {
  it('a poison entry is dead-lettered immediately, with its fields and reason', async () => {
    const [id] = await fixture.add('a=1', 'a=2');
    const target = recorder((name) => {
      if (name === 'a=1') throw refusal();
    });

    const report = await fixture.run(target);

    expect(report).toMatchObject({ processed: 1, deadLettered: 1, failed: 0, pending: 0 });
    expect(target.processed).toEqual(['a=2']);
    expect(await fixture.deadLetters()).toEqual([
      {
        k: 'a',
        v: '1',
        'dl-stream': fixture.stream,
        'dl-group': 'g',
        'dl-source-id': id,
        'dl-reason': 'The API answered 422',
        'dl-error-type': 'MDM:CLIENT_ERROR',
        'dl-deliveries': '1',
        'dl-time': expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
  });

  it('a poison entry stays pending only if the server refuses its dead letter', async () => {
    await fixture.add('a=1', 'b=1');
    const many = Array.from({ length: 9000 }, (_, index) => String(index));
    const tooLong = await fixture.send<string>('XADD', fixture.stream, '*', 'k', 'c', ...many);
    await fixture.add('d=1');
    const target = { keyFields: ['k'], process: () => Promise.reject(refusal()) };

    const report = await fixture.run(target, { budgetMs: 1000, backoffMs: 60_000 });

    expect(report).toMatchObject({ deadLettered: 3, pending: 1 });
    expect((await fixture.pending()).map(([id]) => id)).toEqual([tooLong]);
    expect(await fixture.deadLetters()).toHaveLength(3);
  });
});

it('a run ends at its deadline, with processed entries acknowledged and the others pending', async () => {
  await fixture.add(...Array.from({ length: 100 }, (_, index) => `k${index}=1`));

  const report = await fixture.run(
    recorder(() => sleep(50)),
    { budgetMs: 500, concurrency: 2 },
  );

  expect(report.processed).toBeLessThan(100); // all of them would take 2500 ms
  expect(report.stoppedBecause).toBe('deadline');
  expect(report.processed + report.pending + report.lag!).toBe(100);
  const attempted = (await fixture.pending()).filter(([, , , deliveries]) => deliveries !== '0');
  expect(attempted.length).toBeLessThanOrEqual(2); // given up under way, where the machine was slow
});
