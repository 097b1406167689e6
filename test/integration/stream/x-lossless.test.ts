import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { createClient } from 'redis';
import { startFixture, type Fixture } from '../../support/stream/stream-fixture.ts';

/* What any client wrote, bytes and repeated fields included, is what every read gives back, or refuses by name. */

let fixture: Fixture;
let url: string;
let writer: { sendCommand(args: (string | Buffer)[]): Promise<unknown>; destroy(): void };

beforeAll(async () => {
  fixture = await startFixture({ secrets: (given) => ((url = given), {}) });
  writer = await createClient({ url, RESP: 2 }).connect();
});
afterAll(async () => {
  writer.destroy();
  await fixture.stop();
});

const reads = (key: string, options: object): [operation: string, parameters: object][] => [
  ['xrange', { key, start: '-', end: '+', ...options }],
  ['xrevrange', { key, ...options }],
  ['xread', { streamWatermarks: [{ key, id: '0' }], ...options }],
  ['xreadgroup', { group: 'g', consumer: 'c', streamWatermarks: [{ key, id: '>' }], ...options }],
  ['xreadgroup', { group: 'g', consumer: 'c', streamWatermarks: [{ key, id: '0' }], ...options }],
  ['xclaim', { key, group: 'g', consumer: 'd', minIdleMs: 0, ids: ['1-0'], ...options }],
  ['xautoclaim', { key, group: 'g', consumer: 'e', minIdleMs: 0, ...options }],
];
/** The entry in an output of any form. */
const entryIn = (output: unknown): unknown => {
  if (typeof output !== 'object' || output === null) return undefined;
  if ('1-0' in output) return JSON.parse(JSON.stringify(output['1-0']));
  if ('entry' in output) return JSON.parse(JSON.stringify(output.entry));
  return Object.values(output)
    .map(entryIn)
    .find((entry) => entry !== undefined);
};

const bytes = fc.uint8Array({ maxLength: 6 }).map((array) => Buffer.from(array));
const word = fc.oneof(
  bytes,
  fc.constantFrom('tag', 'é', '\uFFFD', '').map((text) => Buffer.from(text)),
);
const pairs = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 4 });

describe('an entry that another client wrote', () => {
  it('an entry of another client is read exactly, or refused with its id', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async (fields) => {
        const key = fixture.key();
        await writer.sendCommand(['XADD', key, '1-0', ...fields.flat()]);
        await fixture.redis('XGROUP', 'CREATE', key, 'g', '0');
        const names = fields.map(([name]) => name.toString('hex'));
        const isRepeated = new Set(names).size < names.length;
        const isText = fields.flat().every((value) => Buffer.from(value.toString()).equals(value));

        for (const [operation, parameters] of reads(key, {})) {
          const { output, error } = await fixture.call('direct invocation', operation, parameters);
          if (isText && !isRepeated) {
            const text = fields.map(([name, value]) => [name.toString(), value.toString()]);
            expect(entryIn(output)).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(text))));
          } else if (error) {
            expect(error.type).toBe('STREAM:COMMAND');
            expect(error.message).toMatch(/^Field ".*" of entry 1-0 .*(format "pairs"|encoding "base64")$/s);
          } else {
            expect([operation, JSON.stringify(output)]).not.toEqual([operation, expect.stringContaining('"1-0"')]);
          }
        }
        const delivered = ((await fixture.redis('XPENDING', key, 'g')) as [number])[0];
        expect(delivered).toBe(isText && !isRepeated ? 1 : 0); // what is refused stays undelivered
        const exact = fields.map((pair) => pair.map((value) => value.toString('base64')));
        for (const [operation, parameters] of reads(key, { format: 'pairs', encoding: 'base64' })) {
          if (operation === 'xreadgroup' && delivered === 1) continue;
          const { output } = await fixture.call('direct invocation', operation, parameters);
          expect([operation, entryIn(output)]).toEqual([operation, exact]);
        }
      }),
      { numRuns: 40, examples: [[[[Buffer.from('tag'), Buffer.from('}')]]]] },
    );
  });

  describe.each([
    ['xclaim', { ids: ['1-0'] }],
    ['xautoclaim', {}],
  ])('%s', (operation, parameters) => {
    it.each([
      ['a repeated field', ['tag', 'one', 'tag', 'two'], { format: 'pairs' }],
      ['bytes that are not UTF-8', ['tag', Buffer.from([0xff])], { encoding: 'base64' }],
    ])('refuses a pending entry with %s by its field, and leaves it pending', async (_, fields, needed) => {
      const key = fixture.key();
      await writer.sendCommand(['XADD', key, '1-0', ...fields]);
      await fixture.redis('XGROUP', 'CREATE', key, 'g', '0');
      await fixture.redis('XREADGROUP', 'GROUP', 'g', 'other', 'STREAMS', key, '>');
      const claim = { key, group: 'g', consumer: 'c', minIdleMs: 0, ...parameters };

      const { status, error } = await fixture.call('HTTP', operation, claim);
      const [name, value] = Object.entries(needed)[0]!;
      expect({ status, error }).toMatchObject({
        status: 422,
        error: { message: expect.stringMatching(`^Field "tag" of entry 1-0 .*${name} "${value}"$`) },
      });
      expect(await fixture.redis('XPENDING', key, 'g', '-', '+', '9', 'other')).toHaveLength(1);

      expect(entryIn((await fixture.call('HTTP', operation, { ...claim, ...needed })).output)).toBeDefined();
      expect(await fixture.redis('XPENDING', key, 'g', '-', '+', '9', 'c')).toHaveLength(1);
    });
  });

  it("another client's entry equals what xadd writes with the same options", async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async (fields) => {
        const key = fixture.key();
        const entry = fields.map((pair) => pair.map((value) => value.toString('base64')));

        await fixture.call('HTTP', 'xadd', { key, id: '1-0', entry, format: 'pairs', encoding: 'base64' });
        const { output } = await fixture.call('HTTP', 'xrange', {
          ...reads(key, { format: 'pairs', encoding: 'base64' })[0]![1],
        });

        expect(entryIn(output)).toEqual(entry);
      }),
      { numRuns: 30 },
    );
  });
});
