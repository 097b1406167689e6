import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as httpRequest } from '#functions/mdm/http-request/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, postSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
beforeEach(() => stack.mdm.behave());

const RELATIONSHIP = '/metadata/api/v2/objects/relationship';
const get = (parameters: object = {}) =>
  invokeSource(httpRequest, { method: 'GET', path: RELATIONSHIP, ...parameters });

describe('http-request', () => {
  it('reaches any path in the session, and returns payload, headers and status', async () => {
    const response = await get({ query: { note: 'a b', tag: ['x', 'y'] }, headers: { 'X-Trace': 't-1' } });

    expect(response.payload.content).toEqual([expect.objectContaining({ guid: 'c360.livesIn' })]);
    expect(response.attributes).toMatchObject({
      statusCode: 200,
      reasonPhrase: 'OK',
      headers: { 'content-type': expect.stringContaining('application/json') },
    });
    expect(stack.mdm.requests.at(-1)).toMatchObject({
      url: `${RELATIONSHIP}?note=a+b&tag=x&tag=y`,
      headers: { 'x-trace': 't-1', 'ids-session-id': expect.any(String) },
    });
  });

  it.each([
    [
      'JSON',
      { 'content-type': 'application/json' },
      '{"id":714189942313869312}',
      '"payload":{"id":714189942313869312}',
    ],
    ['text', { 'content-type': 'text/csv' }, 'ä,b', '"payload":"ä,b"'],
    [
      'bytes',
      { 'content-type': 'application/pdf' },
      '%PDF',
      '"payload":{"base64":"JVBERg==","contentType":"application/pdf"}',
    ],
    ['nothing', { 'content-type': 'application/json' }, '', '"payload":null'],
  ])('returns %s as such', async (_, headers, body, expected) => {
    stack.mdm.misbehave({ status: 200, headers, body });

    const { text } = await postSource(httpRequest, { method: 'GET', path: RELATIONSHIP });

    expect(text).toContain(expected);
  });

  it.each([404, 409, 503])('returns a %i as a result with throwOnError: false', async (status) => {
    stack.mdm.misbehave({ times: 9, status, body: { errorCode: 'X_1', errorSummary: 'No' } });
    const before = stack.mdm.requests.length;

    const response = await get({ throwOnError: false });

    expect(response).toMatchObject({ payload: { errorCode: 'X_1' }, attributes: { statusCode: status } });
    expect(stack.mdm.requests.length - before).toBe(1);
  });

  it('returns a 401 that stays with a new session as a result with throwOnError: false', async () => {
    stack.mdm.misbehave({ path: '/other', times: null, status: 401, body: { errorCode: 'X_1', errorSummary: 'No' } });

    const response = await invokeSource(
      httpRequest,
      { method: 'GET', path: '/other', throwOnError: false },
      { timeoutMs: 5000 },
    );

    expect(response).toMatchObject({ payload: { errorCode: 'X_1' }, attributes: { statusCode: 401 } });
  });

  it('renews a refused session with throwOnError: false too', async () => {
    stack.mdm.misbehave({ times: 1, status: 401, body: {} });

    expect((await get({ throwOnError: false })).attributes.statusCode).toBe(200);
  });

  it.each([
    ['an object as JSON', { a: 1 }, '{"a":1}'],
    ['null as JSON', null, 'null'],
    ['text as it is', 'a,b', 'a,b'],
  ])('sends %s', async (_, body, sent) => {
    stack.mdm.misbehave({ status: 200, body: {} });

    await invokeSource(httpRequest, { method: 'PUT', path: '/x', body });

    expect(stack.mdm.requests.at(-1)).toMatchObject({ method: 'PUT', body: sent });
  });

  it('sends bytes with their content type, in the form in which responses return them', async () => {
    const bytes = Buffer.from([0, 255, 128, 13, 10]);
    stack.mdm.misbehave({ status: 200, body: {} });

    await invokeSource(httpRequest, {
      method: 'POST',
      path: '/x',
      body: { base64: bytes.toString('base64'), contentType: 'application/zip' },
    });

    expect(stack.mdm.requests.at(-1)).toMatchObject({
      bytes,
      headers: { 'content-type': 'application/zip', 'content-length': '5' },
    });
  });

  it('gives a body of bytes the content type in its header, or octet-stream', async () => {
    stack.mdm.misbehave({ times: 2, status: 200, body: {} });
    const send = (contentType: string, headers = {}) =>
      invokeSource(httpRequest, { method: 'POST', path: '/x', body: { base64: 'AA', contentType }, headers });

    await send('image/png', { 'Content-Type': 'image/jpeg' });
    await send('');

    const types = stack.mdm.requests.slice(-2).map(({ headers }) => headers['content-type']);
    expect(types).toEqual(['image/jpeg', 'application/octet-stream']);
  });

  it('sends JSON that has members besides base64 and contentType as JSON', async () => {
    const body = { base64: 'not base64!', contentType: 'x', name: 'y' };
    stack.mdm.misbehave({ status: 200, body: {} });

    await invokeSource(httpRequest, { method: 'POST', path: '/x', body });

    expect(JSON.parse(stack.mdm.requests.at(-1)!.body)).toEqual(body);
  });

  it.each([
    [{ base64: 'AA*=', contentType: 'a/b' }, '/body/base64', 'must be base64'],
    [{ base64: 'AAAAA', contentType: 'a/b' }, '/body/base64', 'must be base64'],
    [{ base64: 7, contentType: 'a/b' }, '/body/base64', 'must be base64'],
    [{ base64: 'AA==', contentType: 'a\r\nb' }, '/body/contentType', 'must be a content type in printable ASCII'],
  ])('refuses the body %j', async (body, pointer, message) => {
    expect(await problemOf(httpRequest, { method: 'POST', path: '/x', body })).toMatchObject({
      type: 'MDM:CLIENT_ERROR',
      status: 400,
      errors: [{ pointer, message }],
    });
  });

  it('sends 5 MB of bytes', async () => {
    stack.mdm.misbehave({ status: 200, body: {} });
    const base64 = Buffer.alloc(4_000_000, 7).toString('base64');

    await invokeSource(httpRequest, { method: 'PUT', path: '/x', body: { base64, contentType: 'a/b' } });

    expect(stack.mdm.requests.at(-1)!.headers['content-length']).toBe('4000000');
  });

  it('accepts numbers and booleans as query values', async () => {
    await get({ query: { page: 2, ratio: 0.5, all: true, ids: [1, 'b', false] } });

    expect(stack.mdm.requests.at(-1)!.url).toBe(`${RELATIONSHIP}?page=2&ratio=0.5&all=true&ids=1&ids=b&ids=false`);
  });

  it.each([null, {}, [null], [['a']]])('refuses the query value %j', async (value) => {
    expect(await problemOf(httpRequest, { method: 'GET', path: '/x', query: { a: value } })).toMatchObject({
      status: 400,
      errors: [{ pointer: '/query/a', message: 'must be text, a number up to 2^53, a boolean, or a list of them' }],
    });
  });

  it.each([
    ['GET', 2],
    ['HEAD', 2],
    ['OPTIONS', 2],
    ['POST', 1],
    ['PUT', 1],
    ['PATCH', 1],
    ['DELETE', 1],
  ])('sends %s %i time(s) when the first meets a 503', async (method, times) => {
    stack.mdm.misbehave({ status: 503 }, { status: 200, body: {} });
    const before = stack.urls().length;

    await postSource(httpRequest, { method, path: '/x' });

    expect(stack.urls().length - before).toBe(times);
  });

  it.each([
    '/a/../b',
    '/..',
    '/./a',
    '/a/%2e%2e/b',
    '/a/%2E./b',
    '/a/%252e%252e/b',
    '/a%2f..%2fb',
    '/a%5c..%5cb',
    '/a/..;x=1/b',
    '/a/..%3Bx=1/b',
    '/a/%2e%2e%253b/b',
    '/.. ',
    '/a/.. ',
    '/a/../ ',
    '/a/..%20/b',
    '/a/..%2520',
    '/a/ ../b',
    '/a/%2e%2e%20',
    '/a ',
    '//host/a',
    'https://host/a',
    'a',
    '',
    '/a\\b',
    '/a\nb',
    '/a%0d%0aX: 1',
    '/a%2500',
    '/a?b=1',
    '/a#b',
    '/\ud800',
  ])('refuses the path %j', async (path) => {
    const before = stack.mdm.requests.length;

    const problem = await problemOf(httpRequest, { method: 'GET', path });

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 400 });
    expect(problem.errors.every(({ pointer }: { pointer: string }) => pointer === '/path')).toBe(true);
    expect(stack.mdm.requests.length).toBe(before);
  });

  it.each(['/a/b.c/...', '/a%20b', '/ä', '/a;v=1/b', '/a/..b', '/a b', '/a/.. b', '/a/%20'])(
    'accepts the path %j',
    async (path) => {
      stack.mdm.misbehave({ status: 200, body: {} });

      expect((await get({ path })).attributes.statusCode).toBe(200);
    },
  );

  it.each([
    'IDS-SESSION-ID',
    'infa-session-id',
    'icSessionId',
    'Authorization',
    'Proxy-Authorization',
    'Cookie',
    'Host',
    'Connection',
    'Content-Length',
    'Transfer-Encoding',
    'TE',
    'Upgrade',
    'Expect',
  ])('refuses the header %s', async (name) => {
    const problem = await problemOf(httpRequest, { method: 'GET', path: '/x', headers: { [name]: 'x' } });

    expect(problem).toMatchObject({
      status: 400,
      errors: [{ pointer: `/headers/${name}`, message: 'has a header that only the connector sets' }],
    });
  });

  it.each([
    [{ 'X-A': 'a\r\nX-B: b' }, 'must be printable ASCII', '/headers/X-A'],
    [{ 'X A': 'a' }, 'has a name that no header can have', '/headers/X A'],
  ])('refuses the headers %j', async (headers, message, pointer) => {
    expect(await problemOf(httpRequest, { method: 'GET', path: '/x', headers })).toMatchObject({
      errors: [{ pointer, message }],
    });
  });

  it.each(['GET', 'HEAD'])('refuses a body with %s', async (method) => {
    const problem = await problemOf(httpRequest, { method, path: '/x', body: {} });

    expect(problem).toMatchObject({
      status: 400,
      errors: [{ pointer: '', message: 'must have no body with GET and HEAD' }],
    });
  });

  it('returns no cookie of the API', async () => {
    stack.mdm.misbehave({ status: 200, headers: { 'set-cookie': 'session=1' }, body: {} });

    expect((await get()).attributes.headers).not.toHaveProperty('set-cookie');
  });
});
