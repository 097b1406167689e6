import { expect, it } from '@jest/globals';
import { Deadline } from '#lib/core/deadline.ts';
import { redrive } from '#lib/consumer/dead-letters/redrive.ts';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { ConsumerFixture, recorder, refusal } from '#test/support/consumer/consumer-fixture.ts';
import { use } from '#test/support/jest/use.ts';

const fixture = await use(ConsumerFixture.open());

/** A run over an entry of this many fields that the target refuses, and then a redrive. */
async function give(fields: number) {
  const { group } = fixture;
  const stream = (fixture.stream = `of-${fields}`);
  await fixture.send('XADD', stream, '*', ...Array.from({ length: fields }, (_, at) => [`f${at}`, 'v']).flat());
  fixture.logged.length = 0;
  const report = await fixture.run(
    recorder(() => Promise.reject(refusal())),
    { backoffMs: 10_000 },
  );
  const options = { stream, group, deadLetterStream: deadLetterStreamOf(stream, group), count: 1, force: false };
  const { redriven } = await redrive(fixture.redis, { ...options, dryRun: false }, Deadline.after(10_000));
  return { report, redriven };
}

it('an entry that is buried can be put back, however many fields it has', async () => {
  for (const fields of [3940, 3950]) {
    expect(await give(fields)).toMatchObject({ report: { deadLettered: 1, pending: 0 }, redriven: 1 });
  }
});

it('the log says why an entry with too many fields becomes no dead letter, and what to do', async () => {
  for (const fields of [3951, 10_000]) {
    const { report } = await give(fields);

    expect(report).toMatchObject({ deadLettered: 0, pending: 1 });
    expect(fixture.logged.join('\n')).toContain(
      'ERR The entry has more fields than a script can write: copy it elsewhere, then delete it',
    );
  }
});
