import { expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { Deadline } from '#lib/core/deadline.ts';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { redrive } from '#lib/consumer/dead-letters/redrive.ts';
import { ConsumerFixture, recorder, refusal } from '#test/support/consumer/consumer-fixture.ts';
import { use } from '#test/support/jest/use.ts';

let streams = 0;
const fixture = await use(ConsumerFixture.open());

/** A second stream of dead letters: the setting was changed while the first held some. */
const otherLetters = () => `${deadLetterStreamOf(fixture.stream, fixture.group)}:other`;

function putBack(options: { count?: number; deadLetterStream?: string } = {}) {
  const { stream, group } = fixture;
  const deadLetterStream = deadLetterStreamOf(stream, group);
  const all = { stream, group, deadLetterStream, count: 100, force: false, dryRun: false, ...options };
  return redrive(fixture.redis, all, Deadline.after(10_000));
}

type Step = { add: string } | { run: string[]; trim: boolean; other?: boolean } | { redrive: number; other?: boolean };

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ add: fc.constantFrom('a', 'b') }) },
    { weight: 3, arbitrary: fc.record({ run: fc.subarray(['a', 'b']), trim: fc.boolean(), other: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ redrive: fc.integer({ min: 1, max: 3 }), other: fc.boolean() }) },
  ),
  { minLength: 5, maxLength: 40 },
);

/** The older letter of a key was buried again behind the newer one, with another key's between them. */
const BURIED_AGAIN: Step[] = [
  { add: 'b' },
  { add: 'b' },
  { add: 'a' },
  { run: ['a', 'b'], trim: false },
  { redrive: 1 },
  { run: ['b'], trim: false },
  { add: 'a' },
  { run: [], trim: false },
];

it('an old value is never processed after a newer one, whatever is refused, trimmed and redriven', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      fixture.stream = `redrive-${++streams}`;
      let refused: string[] = [];
      let version = 0;
      const target = recorder((name) => (refused.includes(name[0]!) ? Promise.reject(refusal()) : undefined));
      for (const step of sequence) {
        if ('add' in step) {
          await fixture.add(`${step.add}=${++version}`);
          continue;
        }
        const letters = step.other ? { deadLetterStream: otherLetters() } : {};
        if ('redrive' in step) await putBack({ count: step.redrive, ...letters });
        else {
          refused = step.run;
          await fixture.run(target, { trim: step.trim, ...letters });
        }
      }
      refused = [];
      for (let calls = 0; calls < 30; calls++) {
        await fixture.run(target);
        const back = [await putBack({ count: 2 }), await putBack({ count: 2, deadLetterStream: otherLetters() })];
        if (back.every(({ redriven }) => redriven === 0)) break;
      }

      for (const key of ['a', 'b']) {
        const versions = target.processed.filter((name) => name[0] === key).map((name) => Number(name.slice(2)));
        expect(versions).toEqual(versions.toSorted((one, other) => one - other));
        expect(new Set(versions).size).toBe(versions.length);
      }
      const left = (await putBack()).superseded + (await putBack({ deadLetterStream: otherLetters() })).superseded;
      expect(target.processed.length + left).toBe(version); // nothing is lost: taken, or a superseded letter
    }),
    { numRuns: 100, examples: [[BURIED_AGAIN]] },
  );
}, 60_000);
