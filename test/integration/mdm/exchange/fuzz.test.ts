import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { handler as httpRequest } from '#functions/mdm/http-request/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import type { Handler } from '#lib/endpoint/endpoint.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { postSource } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

/*
 * Bodies, encodings, headers and paths as no service should send them and no caller should ask for. Whatever comes, it
 * is a typed error or a result, and neither response nor log shows a value of a record, a key, the session or the
 * password. MDM_RUNS says how many of each kind; `npm run prove -- fuzz` takes 10,000.
 */

const RUNS = Number(process.env.MDM_RUNS ?? 200);
const PASSWORD = 'password-hunter2';
const KEY = 'Key of Erika+Mustermann';
const RECORD = { lastName: 'Mustermann-Öztürk', income: 4_821_193, notes: ['said "so" & left', 'x'.repeat(50)] };
const SHOWN = /password-hunter2|Erika.{1,6}Mustermann|Mustermann-|ztürk|4821193|said .{1,7}so|x{20}/i;

let respond: RequestListener;
let raw: Buffer;
let session = '';
const log: string[] = [];
const write = process.stdout.write.bind(process.stdout);
const servers: Server[] = [];
async function listen(server: Server): Promise<string> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(async () => {
  process.stdout.write = write;
  for (const server of servers) server.close();
});

/** Calls an operation, and says what must not be: an internal error, or something shown that is not the caller's. */
async function faultOf(handler: Handler, parameters: object, isEcho = false): Promise<string | undefined> {
  log.length = 0;
  const { status, text } = await postSource(handler, { configRef, ...parameters }, { timeoutMs: 2_500 });
  if (text.includes('CONNECTOR:')) return `internal: ${text} ${log.join()}`;
  if (status === 500 && !text.includes('"upstreamStatus"')) return `500: ${text}`;
  const shown = status < 400 && isEcho ? log.join() : `${log.join()}${status < 400 ? '' : text}`;
  const found = SHOWN.exec(shown)?.[0] ?? (session && `${shown}${text}`.includes(session) ? 'the session' : undefined);
  return found === undefined ? undefined : `shows ${found}: ${shown.slice(0, 2_000)}`;
}

const key = { businessEntity: 'c360.person', sourceSystem: 'crm', sourcePKey: KEY };
const read = () => faultOf(masterRead, key, true);
const submit = () => faultOf(sourceSubmit, { ...key, record: RECORD }, true);
const request = () => {
  const body = { method: 'POST', path: `/x/${encodeURIComponent(KEY)}`, query: { q: KEY }, headers: { 'x-k': 'k' } };
  return faultOf(httpRequest, { ...body, body: RECORD }, true);
};

const stack = await use(startMdmStack({ password: PASSWORD }));
const http = createServer((request, response) => {
  session = String(request.headers['ids-session-id']);
  request.resume().once('end', () => respond(request, response));
});
const configRef = stack.configure({ baseUrl: await listen(http), timeoutMs: 1_000 });
process.stdout.write = (line: string | Uint8Array) => log.push(String(line)) > 0;

const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => Promise<unknown>) =>
  fc.assert(
    fc.asyncProperty(arbitrary, async (value) => expect(await property(value)).toBeUndefined()),
    { numRuns: RUNS, endOnFailure: true },
  );

/** The values of a call, in the forms in which services repeat them. */
const values = [KEY, PASSWORD, RECORD.lastName, String(RECORD.income), ...RECORD.notes];
const repeatedOf = (known: string[]) =>
  fc
    .tuple(fc.constantFrom(...known), fc.nat(6))
    .map(
      ([value, form]) =>
        [
          value,
          encodeURIComponent(value),
          encodeURIComponent(encodeURIComponent(value)),
          JSON.stringify(value).slice(1, -1),
          value.toUpperCase(),
          value.replaceAll(' ', '+'),
          [...value].map((letter) => (letter > '~' ? `&#${letter.codePointAt(0)};` : letter)).join(''),
        ][form]!,
    );
const wordsOf = (known: string[]) =>
  fc
    .array(
      fc.oneof(repeatedOf(known), fc.lorem({ maxCount: 3 }), fc.constantFrom(': ', '"', ' (', ') ', '; ', '<b>', '\n')),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((parts) => parts.join(' '));
const member = fc.constantFrom(
  'errorSummary',
  'errorCode',
  'message',
  'description',
  'code',
  'requestId',
  'errorId',
  'x',
);
const errorBodyOf = (words: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.dictionary(member, fc.oneof(words, fc.jsonValue())),
    words.map((message) => ({ error: { code: message, message, requestId: message } })),
    words.map((message) => ({ errorSummary: 'no', errorDetail: { details: [{ message, code: message }, null] } })),
    fc.jsonValue(),
  );
const status = fc.oneof(fc.constantFrom(400, 401, 403, 404, 409, 422, 500), fc.integer({ min: 300, max: 599 }));
/** An operation, and an error that repeats what that was called with. */
const failure = fc.nat(2).chain((operation) => {
  const words = wordsOf(operation === 0 ? values.slice(0, 2) : values);
  return fc.tuple(errorBodyOf(words), status, fc.constant(operation));
});

describe('fuzzing', () => {
  it("no error body, however broken, reveals a call's values", async () => {
    const property = async ([body, code, operation]: [unknown, number, number]) => {
      respond = (_, response) => {
        response.writeHead(code, { 'content-type': 'application/json', 'retry-after': '9' });
        response.end(JSON.stringify(body));
      };
      return [read, submit, request][operation]!();
    };
    await check(failure, property);
  }, 3_600_000);

  it('any success body ends in a result or a typed error', async () => {
    const bytes = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 300 }).map((data) => Buffer.from(data)),
      fc.tuple(fc.json(), fc.nat(400)).map(([text, end]) => Buffer.from(text).subarray(0, end)),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text, 'utf16le')),
    );
    const types = [
      'application/json',
      'text/plain',
      'text/xml; charset=utf-16',
      'application/json; charset=x',
      'a/b',
      '',
    ];
    const property = async ([body, type, operation]: [Buffer, string, number]) => {
      respond = (_, response) => void response.writeHead(200, { 'content-type': type }).end(body);
      return [read, submit, request][operation]!();
    };
    await check(fc.tuple(bytes, fc.constantFrom(...types), fc.nat(2)), property);
  }, 3_600_000);

  it('any content encoding ends in a result or a typed error', async () => {
    const encoders = [gzipSync, deflateSync, brotliCompressSync, (data: Buffer) => data];
    const names = ['gzip', 'deflate', 'br', 'identity', 'x-gzip', 'gzip, br', 'zstd', 'GZIP', '', ',,', '__proto__'];
    const cut = fc.tuple(fc.json(), fc.nat(3), fc.constantFrom(...names), fc.nat(200), fc.nat(255), fc.boolean());
    const property = async ([text, encoder, name, at, byte, isError]: [
      string,
      number,
      string,
      number,
      number,
      boolean,
    ]) => {
      const body = Buffer.from(encoders[encoder]!(Buffer.from(text)));
      if (at < body.length) body[at] = byte;
      respond = (_, response) => {
        response.writeHead(isError ? 404 : 200, { 'content-type': 'application/json', 'content-encoding': name });
        response.end(at % 3 === 0 ? body.subarray(0, at) : body);
      };
      return at % 2 === 0 ? read() : request();
    };
    await check(cut, property);
  }, 3_600_000);

  it('any headers and framing end in a result or a typed error', async () => {
    const url = await listen(
      createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(raw))),
    );
    const other = stack.configure({ baseUrl: url, timeoutMs: 100 }); // what never ends is waited for
    const names = [
      'Content-Length',
      'Transfer-Encoding',
      'Retry-After',
      'INFA-REQUEST-ID',
      'Content-Type',
      'Location',
      'X',
    ];
    const header = fc.tuple(
      fc.constantFrom(...names),
      fc.oneof(
        fc.constantFrom('0', '-1', '5', '99999999', 'chunked', 'x, y', KEY, PASSWORD, ''),
        fc.string({ unit: 'binary' }),
      ),
    );
    const line = fc.oneof(
      fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.1 404 no', 'HTTP/1.0 200', 'HTTP/9', ''),
      fc.string(),
    );
    const property = async ([first, headers, body]: [string, [string, string][], string]) => {
      const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`), '', body];
      raw = Buffer.from(lines.join('\r\n'), 'latin1');
      return faultOf(httpRequest, { configRef: other, method: 'POST', path: '/x', body: RECORD }, true);
    };
    await check(fc.tuple(line, fc.array(header, { maxLength: 4 }), fc.json()), property);
  }, 3_600_000);

  it('no path, query or header makes http-request leave the requested path', async () => {
    const asked: string[] = [];
    respond = ({ url }, response) => {
      asked.push(url!);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    };
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '.',
        '..',
        '%2e',
        '%2F',
        '%5c',
        '\\',
        ' ',
        '%20',
        '?',
        '#',
        ';',
        '%',
        '%25',
        '\t',
        '%00',
        '//',
      ),
      fc.string({ maxLength: 3 }),
      fc.string({ unit: 'binary', maxLength: 2 }),
    );
    const path = fc.array(piece, { maxLength: 8 }).map((pieces) => `/base/${pieces.join('')}`);
    const pairs = fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ unit: 'binary', maxLength: 5 }), {
      maxKeys: 3,
    });
    const property = async ([called, query, headers]: [string, Record<string, string>, Record<string, string>]) => {
      asked.length = 0;
      const fault = await faultOf(httpRequest, { method: 'GET', path: called, query, headers }, true);
      return (
        fault ?? asked.find((url) => !url.startsWith('/base/') || url.split('/').length !== called.split('/').length)
      );
    };
    await check(fc.tuple(path, pairs, pairs), property);
  }, 3_600_000);
});
