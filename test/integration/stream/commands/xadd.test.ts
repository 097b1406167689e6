import { describe, expect, it } from '@jest/globals';
import { WAYS } from '../../../support/stream/call-stream.ts';
import { startFixture } from '../../../support/stream/stream-fixture.ts';
import { use } from '../../../support/jest/use.ts';

const fixture = await use(startFixture());

describe.each(WAYS)('stream-xadd by %s', (way) => {
  const xadd = (parameters: object) => fixture.call(way, 'xadd', parameters);
  const stored = async (key: string) => (await fixture.redis('XRANGE', key, '-', '+')) as [string, string[]][];

  it('appends an entry under an id that Redis makes, and answers it', async () => {
    const key = fixture.key();

    const { output } = await xadd({ key, entry: { order: '1001', status: 'paid' } });

    expect(output).toMatch(/^\d+-\d+$/);
    expect(await stored(key)).toEqual([[output, ['order', '1001', 'status', 'paid']]]);
  });

  it.each([
    ['5', '5-0'],
    ['003-003', '3-3'],
    ['7-*', '7-0'],
    ['18446744073709551615-18446744073709551614', '18446744073709551615-18446744073709551614'],
  ])('takes the id %s', async (id, stored) => {
    const { output } = await xadd({ key: fixture.key(), id, entry: { a: '' } });

    expect(output).toBe(stored);
  });

  it('creates no stream with noMkStream, and answers null', async () => {
    const key = fixture.key();

    const { output } = await xadd({ key, noMkStream: true, entry: { a: '1' } });

    expect(output).toBeNull();
    expect(await fixture.redis('EXISTS', key)).toBe(0);
  });

  it('adds with noMkStream where there is a stream', async () => {
    const key = fixture.key();
    await fixture.redis('XADD', key, '1-1', 'a', '1');

    const { output } = await xadd({ key, id: '1-2', noMkStream: true, entry: { a: '2' } });

    expect(output).toBe('1-2');
  });

  it.each([
    [{ maxLength: 2 }, ['2-0', '3-0']],
    [{ maxLength: '2', exactTrimming: true }, ['2-0', '3-0']],
    [{ maxLength: 0 }, []],
    [{ id: '3' }, ['3-0']],
    [{ maxLength: 0, exactTrimming: false, limit: 1 }, ['1-0', '2-0', '3-0']], // no whole node fits the limit
    [{ maxLength: 2, exactTrimming: false }, ['1-0', '2-0', '3-0']], // nodes are trimmed whole
  ])('evicts by %j', async (evictionOption, left) => {
    const key = fixture.key();
    for (const id of ['1', '2']) await fixture.redis('XADD', key, id, 'a', '1');

    await xadd({ key, id: '3', evictionOption, entry: { a: '3' } });

    expect((await stored(key)).map(([id]) => id)).toEqual(left);
  });

  it('cannot be led to take a field for an option', async () => {
    const key = fixture.key();
    await fixture.redis('XADD', key, '1', 'a', '1');

    await xadd({ key, entry: { MAXLEN: '0', '*': '0', NOMKSTREAM: '' } });

    expect((await stored(key)).map(([, pairs]) => pairs)).toEqual([
      ['a', '1'],
      ['MAXLEN', '0', '*', '0', 'NOMKSTREAM', ''],
    ]);
  });

  it.each(['0-0', '18446744073709551616', '1-18446744073709551616', '1-1', '2'])(
    'refuses the id %s that Redis refuses',
    async (id) => {
      const key = fixture.key();
      await fixture.redis('XADD', key, '2', 'a', '1');

      const { status, error } = await xadd({ key, id, entry: { a: '1' } });

      expect(error?.type).toBe('STREAM:ARGUMENT');
      expect(status).toBe(way === 'HTTP' ? 400 : undefined);
    },
  );

  it('keeps a value of 1 MB', async () => {
    const key = fixture.key();
    const value = 'ä'.repeat(512 * 1024);

    await xadd({ key, entry: { value } });

    expect((await stored(key))[0]![1]).toEqual(['value', value]);
  });
});

describe('stream-xadd over HTTP', () => {
  it('answers text, or JSON where that is preferred', async () => {
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

  it('keeps the order of integer-like field names', async () => {
    const key = fixture.key();

    await fixture.lambda.post('/stream/xadd', `{"key":"${key}","entry":{"b":"1","10":"2","9":"3","__proto__":"4"}}`);

    expect(await fixture.redis('XRANGE', key, '-', '+')).toEqual([
      [expect.any(String), ['b', '1', '10', '2', '9', '3', '__proto__', '4']],
    ]);
  });

  it('refuses an entry of a million fields before it reaches Redis', async () => {
    const key = fixture.key();
    const entry = Object.fromEntries(Array.from({ length: 1_000_000 }, (_, at) => [`f${at}`, '']));

    const response = await fixture.lambda.post('/stream/xadd', { key, entry });

    expect(response.json).toMatchObject({ type: 'STREAM:ARGUMENT', detail: '/entry must have at most 100000 fields' });
    expect(await fixture.redis('EXISTS', key)).toBe(0);
  }, 120_000);
});

describe('stream-xadd by an HTTP event that was made by hand', () => {
  const http = { method: 'POST', path: '/stream/xadd' };
  const invoke = (body: unknown, more: object = {}) =>
    fixture.lambda.invoke<{ statusCode: number; body: string }>('stream-xadd', {
      version: '2.0',
      requestContext: { http },
      body,
      ...more,
    });
  const entriesOf = (key: string) => fixture.redis('XLEN', key);

  it.each([
    ['without headers', {}],
    ['with null for headers', { headers: null }],
    ['with headers that are no text', { headers: { accept: 5, 'accept-encoding': ['gzip'], traceparent: {} } }],
  ])('%s adds the entry once, and says its id', async (_what, more) => {
    const key = fixture.key();

    const response = await invoke(JSON.stringify({ key, id: '1-0', entry: { a: '1' } }), more);

    expect(response).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: '1-0',
    });
    expect(await entriesOf(key)).toBe(1);
  });

  it.each([
    ['without a body', undefined],
    ['with null for a body', null],
    ['with an object for a body', { key: 'k', entry: { a: '1' } }],
    ['with a body that is no JSON', '{'],
  ])('%s is refused', async (_what, body) => {
    const { statusCode, body: problem } = await invoke(body);

    expect({ statusCode, type: (JSON.parse(problem) as { type: string }).type }).toEqual({
      statusCode: 400,
      type: 'STREAM:ARGUMENT',
    });
  });
});

describe('fields whose names are integers', () => {
  const fields = ['b', '1', '10', '2', 'a', '0'];
  const escaped = '{"b":"x","\\u0031":"x","1\\u0030":"x","2":"x","a":"x","\\u0030":"x"}';

  it.each([
    ['xadd', `"entry":${escaped}`],
    ['xadd-batch', `"entries":[${escaped}]`],
  ])('keep the order of the entry where %s has them escaped', async (operation, parameters) => {
    const key = fixture.key();

    await fixture.lambda.post(`/stream/${operation}`, `{"key":"${key}",${parameters}}`);

    const [[, stored]] = (await fixture.redis('XRANGE', key, '-', '+')) as [[string, string[]]];
    expect(stored).toEqual(fields.flatMap((name) => [name, 'x']));
    const { text } = await fixture.lambda.post('/stream/xrange', { key, start: '-', end: '+' });
    expect([...text.matchAll(/"(\w+)":"x"/g)].map(([, name]) => name)).toEqual(fields);
  });
});
