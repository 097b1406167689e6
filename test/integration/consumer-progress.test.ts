import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConsumerFixture, recorder } from '../support/consumer-fixture.ts';

let fixture: ConsumerFixture;
let number = 0;

beforeAll(async () => {
  fixture = await ConsumerFixture.open();
});
beforeEach(() => {
  fixture.stream = `progress:${++number}`;
});
afterAll(() => fixture.close());

/** As if a killed run had taken so many entries. */
async function leavePending(count: number): Promise<void> {
  const { stream } = fixture;
  await fixture.send('XGROUP', 'CREATE', stream, 'g', '0', 'MKSTREAM');
  await fixture.send('XREADGROUP', 'GROUP', 'g', 'stream-consumer', 'COUNT', `${count}`, 'STREAMS', stream, '>');
}

describe('what a killed run left of a key', () => {
  it('does not hold up the 5,000 entries behind it: one run carries all', async () => {
    await fixture.add(...Array.from({ length: 5000 }, (_, at) => `a=${at}`));
    await leavePending(100);
    const target = recorder();

    const report = await fixture.run(target, { backoffMs: 1, budgetMs: 20_000 });

    expect(report).toMatchObject({ processed: 5000, pending: 0, lag: 0, stoppedBecause: 'drained' });
    expect(target.taken).toEqual(Array.from({ length: 5000 }, (_, at) => `a=${at}`));
  });

  it('is not in the way of other keys either', async () => {
    await fixture.add(...Array.from({ length: 2000 }, (_, at) => `${at % 2 ? 'a' : `k${at % 20}`}=${at}`));
    await leavePending(300);

    const report = await fixture.run(recorder(), { backoffMs: 1, budgetMs: 20_000 });

    expect(report).toMatchObject({ processed: 2000, pending: 0, lag: 0, stoppedBecause: 'drained' });
  });
});
