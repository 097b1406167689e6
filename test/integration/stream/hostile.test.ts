import { expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { registry } from '#functions/registry.ts';
import type { InvocationFailure } from '#sandbox/aws/lambda.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { use } from '../../support/jest/use.ts';

/*
 * Inputs that no caller should send. Whatever comes, it is a result or a typed error of the caller's own making, by
 * either way in, and neither error nor log shows a value of an entry.
 */

const RUNS = Number(process.env.STREAM_RUNS ?? 400);
const VALUE = 'hunter2-value';
/** What a caller can cause with an input alone. */
const STATUSES = [200, 204, 400, 404, 409, 413, 422];
const TYPES = /^STREAM:(ARGUMENT|COMMAND|WRONG_TYPE)$/;
/** A read that blocks ends by then, and any other call on a busy machine. */
const OPTIONS = { timeoutMs: 3_000 };

const operations = registry.filter(({ name }) => name.startsWith('stream-x'));
const pathOf = (name: string) => `/${name.replace('-', '/')}`;

const fixture = await use(startFixture());
await fixture.redis('SET', 'text', VALUE);
// what loads and connects takes no call's time on Lambda, and on a busy machine all that a call here has
await fixture.call('HTTP', 'xinfo-groups', { key: 'none' });
for (const { name, example } of operations) await fixture.lambda.post(pathOf(name), JSON.stringify(example.input));

/** Values as JSON text, which can express more than JavaScript can write. */
const hostile = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '0',
    '-0',
    '-1',
    '1.5',
    '1e400',
    '-1e-400',
    '9007199254740993',
    '9223372036854775807',
    '"9223372036854775808"',
    '"-1"',
    '""',
    '" "',
    '"\\u0000"',
    '"\\ud800"',
    '"\\u0031"',
    '"*"',
    '"$"',
    '"("',
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '[{}]',
    '{"":""}',
    '{"__proto__":1}',
    '{"constructor":{"prototype":1}}',
    '{"length":1}',
    '["a","b"]',
    '[["a","b"]]',
    '[["a"]]',
    '{"a":"1","a":"2"}',
    '{"1":"x","0":"y"}',
    '"text"',
    `{"a":"${VALUE}\\ud800"}`,
    `["a","${VALUE}\\ud800"]`,
    `{"a":["${VALUE}"]}`,
    `"${'9'.repeat(400)}"`,
    `"${'9'.repeat(100)}-${'9'.repeat(100)}"`,
    `"${'x'.repeat(200_000)}"`,
    '['.repeat(2000) + ']'.repeat(2000),
    '{"a":'.repeat(2000) + '1' + '}'.repeat(2000),
    `[${'"1-1",'.repeat(99_999)}"1-1"]`,
    `[${'"1-1",'.repeat(100_000)}"1-1"]`,
    `[${'"a",'.repeat(1000)}"a"]`,
  ),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
);

/** The example of an operation with values replaced, members added or left out, at any depth. */
function spoil(input: unknown, changes: [at: number, json: string][]): string {
  let place = 0;
  const write = (value: unknown): string | undefined => {
    const change = changes.find(([at]) => at === place);
    place++;
    if (change) return change[1] === '' ? undefined : change[1];
    if (Array.isArray(value))
      return `[${value
        .map(write)
        .filter((item) => item !== undefined)
        .join()}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const members = Object.entries(value).map(([name, item]) => [JSON.stringify(name), write(item)]);
    return `{${members
      .filter(([, json]) => json !== undefined)
      .map((member) => member.join(':'))
      .join()}}`;
  };
  return write(input) ?? '';
}

const members = [
  ...new Set(operations.flatMap(({ input }) => Object.keys((input as { properties: object }).properties))),
];
const calls = fc
  .record({
    operation: fc.constantFrom(...operations),
    changes: fc.array(fc.tuple(fc.nat(9), fc.oneof(hostile, fc.constant(''))), { maxLength: 2 }),
    added: fc.array(fc.tuple(fc.constantFrom(...members, 'x', '__proto__'), hostile), { maxLength: 2 }),
  })
  .map(({ operation: { name, example }, changes, added }) => {
    const json = spoil(example.input, changes);
    const extra = added.map(([member, value]) => `${JSON.stringify(member)}:${value}`).join();
    return { name, json: extra && json.endsWith('}') && json !== '{}' ? `${json.slice(0, -1)},${extra}}` : json };
  });

const shown = (error: string) =>
  `${error}${fixture.lambda.log.splice(0).join()}`.includes(VALUE) ? 'shows a value' : '';

it('over HTTP, any input results in an output or a typed error of the caller', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async ({ name, json }) => {
      const { status, text } = await fixture.lambda.post(pathOf(name), json, OPTIONS);

      const type = status < 300 ? undefined : (JSON.parse(text) as { type: string }).type;
      expect([status, STATUSES.includes(status)]).toEqual([status, true]);
      if (type) expect(type).toMatch(TYPES);
      expect(shown(type ? text : '')).toBe('');
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

it('in a direct invocation, any input results in an output or a typed error of the caller', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async ({ name, json }) => {
      let payload: unknown;
      try {
        payload = JSON.parse(json);
      } catch {
        return; // no event of Lambda
      }
      const failure = await fixture.lambda.invoke(name, payload, OPTIONS).then(
        () => undefined,
        (error: InvocationFailure) => error,
      );

      if (failure) expect(failure.errorType).toMatch(TYPES);
      expect(shown(failure ? JSON.stringify(failure) : '')).toBe('');
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

it('every operation refuses a body that is not a JSON object', async () => {
  const bodies = [
    '',
    ' ',
    'null',
    'true',
    '1',
    '1e400',
    '12345678901234567890',
    '[]',
    '"x"',
    '{',
    '{"a":}',
    '\u0000',
    '\ufeff{}',
    '{"key":"k"}{"key":"k"}',
    '['.repeat(200_000),
    '['.repeat(200_000) + ']'.repeat(200_000),
  ];
  for (const body of bodies) {
    for (const { name } of operations) {
      const { status, text } = await fixture.lambda.post(pathOf(name), body, OPTIONS);
      const { type } = JSON.parse(text) as { type: string };
      expect([name, body.slice(0, 40), status, type]).toEqual([name, body.slice(0, 40), 400, 'STREAM:ARGUMENT']);
    }
  }
});
