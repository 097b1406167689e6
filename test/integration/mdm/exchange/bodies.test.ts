import { createServer, type ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { handler as httpRequest } from '#functions/mdm/http-request/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { listen } from '#sandbox/network/listen.ts';
import { use } from '#test/support/jest/use.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, postSource, problemOf } from '#test/support/aws/source-handler.ts';

/* What comes over the wire, byte by byte: a server of its own in front of the calls, the sandbox for the logins. */

let respond: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  request.resume().once('end', () => respond(response));
});

const stack = await use(startMdmStack());
const { url } = await use(listen(server));
const configRef = stack.configure({ baseUrl: url });

const JSON_TYPE = { 'content-type': 'application/json' };
const RECORD = { _meta: { businessId: 'M1' }, name: 'Müller' };
const send = (headers: Record<string, string>, body: string | Buffer, status = 200) =>
  (respond = (response) => void response.writeHead(status, headers).end(body));
const call = () => ({ configRef, businessEntity: 'c360.person', businessId: 'M1' });
const read = () => invokeSource(masterRead, call());
const problem = () => problemOf(masterRead, call(), { timeoutMs: 20_000 });
const request = () =>
  invokeSource<{ payload: unknown; attributes: { headers: object } }>(httpRequest, {
    configRef,
    method: 'GET',
    path: '/x',
  });

describe('a compressed response', () => {
  const bytes = Buffer.from(JSON.stringify(RECORD));

  it.each([
    ['gzip', gzipSync(bytes)],
    ['x-gzip', gzipSync(bytes)],
    ['GZIP', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['deflate', deflateRawSync(bytes)],
    ['br', brotliCompressSync(bytes)],
    ['gzip, br', brotliCompressSync(gzipSync(bytes))],
    ['identity', bytes],
  ])('a compressed response in %s is read', async (encoding, body) => {
    send({ ...JSON_TYPE, 'content-encoding': encoding }, body);

    expect((await read()).payload).toEqual(RECORD);
  });

  it.each([
    ['gzip', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['br', brotliCompressSync(bytes)],
  ])('a compressed response in %s that is cut short is an error, not a record', async (encoding, body) => {
    for (const length of [body.length - 1, body.length - 8, Math.ceil(body.length / 2), 1]) {
      send({ ...JSON_TYPE, 'content-encoding': encoding }, body.subarray(0, length));

      expect(await problem()).toMatchObject({ type: 'MDM:SERVER_ERROR', status: 502, upstreamStatus: 200 });
    }
  });

  it('a compressed error keeps its status, however broken its body is', async () => {
    send({ ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync(bytes).subarray(0, 9), 404);

    expect(await problem()).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 404 });
  });

  it('a response in an unknown encoding is not JSON, and http-request returns it as bytes', async () => {
    const packed = Buffer.from([0xca, 0xfe, 0xd0, 0x0d]);
    send({ ...JSON_TYPE, 'content-encoding': 'pack200' }, packed);

    expect(await problem()).toMatchObject({ type: 'MDM:SERVER_ERROR' });
    expect((await request()).payload).toEqual({ base64: packed.toString('base64'), contentType: 'application/json' });
  });

  it('http-request returns a compressed response without the compression headers', async () => {
    send({ ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync(bytes));

    const { payload, attributes } = await request();

    expect(payload).toEqual(RECORD);
    expect(attributes.headers).not.toHaveProperty('content-encoding');
  });
});

describe('text responses', () => {
  const latin1 = Buffer.from('Müller', 'latin1');
  const base64 = latin1.toString('base64');

  it.each([
    ['in ISO-8859-1', 'text/plain; charset=ISO-8859-1', latin1, 'Müller'],
    ['in quotes of Windows-1252', 'text/plain; charset="windows-1252"', latin1, 'Müller'],
    ['in UTF-16', 'text/plain; charset=utf-16le', Buffer.from('Müller', 'utf16le'), 'Müller'],
    ['in UTF-8', 'text/plain', Buffer.from('Müller'), 'Müller'],
    ['with a byte order mark', 'text/plain', Buffer.from('\uFEFFx'), '\uFEFFx'],
    ['that is no UTF-8', 'text/plain', latin1, { base64, contentType: 'text/plain' }],
    [
      'in an unknown charset',
      'text/plain; charset=klingon',
      latin1,
      { base64, contentType: 'text/plain; charset=klingon' },
    ],
    [
      'of XML that names its own encoding',
      'application/xml',
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><n>Müller</n>', 'latin1'),
      '<?xml version="1.0" encoding="ISO-8859-1"?><n>Müller</n>',
    ],
    [
      'of a sequence of JSON texts, which is no JSON',
      'application/json-seq',
      Buffer.from('\u001E{}\n\u001E{}\n'),
      {
        base64: Buffer.from('\u001E{}\n\u001E{}\n').toString('base64'),
        contentType: 'application/json-seq',
      },
    ],
  ])('text %s reaches the caller unchanged', async (_, contentType, body, payload) => {
    send({ 'content-type': contentType }, body);

    expect((await request()).payload).toEqual(payload);
  });
});

describe('JSON responses', () => {
  it('a JSON response with invalid UTF-8 is an error, not a different name', async () => {
    send(JSON_TYPE, Buffer.from(JSON.stringify(RECORD), 'latin1'));

    expect(await problem()).toMatchObject({ type: 'MDM:SERVER_ERROR', status: 502 });
  });

  it('a JSON response is read in the charset that it names', async () => {
    send({ 'content-type': 'application/json; charset=ISO-8859-1' }, Buffer.from(JSON.stringify(RECORD), 'latin1'));

    expect((await read()).payload).toEqual(RECORD);
  });

  it.each([
    ['lists', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['objects', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
    ['objects with long numbers', '{"a":'.repeat(20_000) + '714189942313869312' + '}'.repeat(20_000)],
    ['objects with integer names', '{"1":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
    ['brackets closed in strings', '{"]]":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
  ])('a JSON response of 20,000 nested %s is an error of the API', async (_, body) => {
    send(JSON_TYPE, `{"record":${body}}`);

    expect(await problem()).toMatchObject({ type: 'MDM:SERVER_ERROR', status: 502 });
    expect(await problemOf(httpRequest, { configRef, method: 'GET', path: '/x' })).toMatchObject({ status: 502 });
  });

  it('a JSON response with 500 levels, or with brackets in strings, is read', async () => {
    const deep = '{"a":'.repeat(500) + '1' + '}'.repeat(500);
    send(JSON_TYPE, `{"deep":${deep},"text":"${'['.repeat(5_000)}\\\\"}`);

    expect(JSON.stringify((await read()).payload)).toContain(deep);
  });
});

describe('response headers', () => {
  it.each([20, 40, 60])('response headers of %i kB are read', async (kilobytes) => {
    send({ ...JSON_TYPE, 'x-large': 'x'.repeat(kilobytes * 1024) }, JSON.stringify(RECORD));

    expect((await read()).payload).toEqual(RECORD);
  });

  it('response headers and bodies that repeat the session never reach a caller of http-request', async () => {
    respond = (response) => {
      const { req: asked } = response;
      const session = String(asked.headers['ids-session-id']);
      response.writeHead(200, { ...JSON_TYPE, 'ids-session-id': 'another', 'x-echo': `id=${session}`, 'x-other': 'o' });
      response.end(JSON.stringify({ headers: asked.headers }));
    };

    const { text } = await postSource(httpRequest, { configRef, method: 'GET', path: '/x' });

    expect(text).toContain('x-other');
    expect(text).not.toMatch(/sid-|another|x-echo/);
  });
});

it.each([200, 201, 202, 204])('a submit answered with %i and no body succeeds', async (status) => {
  respond = (response) => void response.writeHead(status).end();

  const { payload, attributes } = await invokeSource(sourceSubmit, {
    configRef,
    businessEntity: 'c360.person',
    sourceSystem: 'crm',
    sourcePKey: '1',
    record: { lastName: 'Smith' },
  });

  expect([payload, attributes.statusCode]).toEqual([{}, status]);
});
