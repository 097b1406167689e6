import { describe, expect, it } from '@jest/globals';
import { WAYS } from '#test/support/stream/call-stream.ts';
import { startFixture } from '#test/support/stream/stream-fixture.ts';
import { use } from '#test/support/jest/use.ts';

const fixture = await use(startFixture());

describe.each(WAYS)('stream-xadd by %s', (way) => {
  const xadd = (parameters: object) => fixture.call(way, 'xadd', parameters);
  const stored = async (key: string) => (await fixture.redis('XRANGE', key, '-', '+')) as [string, string[]][];

  it('stream-xadd keeps a value of 1 MB', async () => {
    const key = fixture.key();
    const value = 'ä'.repeat(512 * 1024);

    await xadd({ key, entry: { value } });

    expect((await stored(key))[0]![1]).toEqual(['value', value]);
  });
});

describe('stream-xadd over HTTP', () => {
  it('stream-xadd answers text, or JSON where that is preferred', async () => {
    const entry = { a: '1' };

    const text = await fixture.lambda.post('/stream/xadd', { key: fixture.key(), entry });
    const json = await fixture.lambda.post(
      '/stream/xadd',
      { key: fixture.key(), entry },
      { headers: { accept: 'application/json' } },
    );

    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.text).toMatch(/^\d+-\d+$/);
    expect(json.json).toMatch(/^\d+-\d+$/);
  });

  it('stream-xadd refuses an entry with one field too many before it reaches Redis', async () => {
    const key = fixture.key();
    const entry = Object.fromEntries(Array.from({ length: 100_001 }, (_, at) => [`f${at}`, '']));

    const response = await fixture.lambda.post('/stream/xadd', { key, entry });

    expect(response.json).toMatchObject({ type: 'STREAM:ARGUMENT', detail: '/entry must have at most 100000 fields' });
    expect(await fixture.redis('EXISTS', key)).toBe(0);
  });
});

describe('fields whose names are integers', () => {
  const fields = ['b', '1', '10', '2', 'a', '0'];
  const escaped = '{"b":"x","\\u0031":"x","1\\u0030":"x","2":"x","a":"x","\\u0030":"x"}';

  it.each([
    ['xadd', `"entry":${escaped}`],
    ['xadd-batch', `"entries":[${escaped}]`],
  ])('fields keep the order of the entry if %s has them escaped', async (operation, parameters) => {
    const key = fixture.key();

    await fixture.lambda.post(`/stream/${operation}`, `{"key":"${key}",${parameters}}`);

    const [[, stored]] = (await fixture.redis('XRANGE', key, '-', '+')) as [[string, string[]]];
    expect(stored).toEqual(fields.flatMap((name) => [name, 'x']));
    const { text } = await fixture.lambda.post('/stream/xrange', { key, start: '-', end: '+' });
    expect([...text.matchAll(/"(\w+)":"x"/g)].map(([, name]) => name)).toEqual(fields);
  });
});
