import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { handler as httpRequest } from '#functions/mdm/http-request/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as sourceDelete } from '#functions/mdm/source-delete/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import type { InvocationFailure } from '#sandbox/aws/lambda.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { FIN, RST, startRawServer, type Step } from '#test/support/mdm/raw-server.ts';
import { startContainer } from '#test/support/aws/container.ts';
import { use } from '#test/support/jest/use.ts';
import { readSecretsAt } from '#test/support/aws/secrets-environment.ts';
import { invokeSource, type SourceResponse } from '#test/support/aws/source-handler.ts';

/*
 * What a server, or anything in front of it, may put on the wire. Every call ends in time, with a result or an error
 * that has a type, and the packaged functions do the same as the sources.
 */

/** Where a timeout is what is expected; a submit without a key waits for what its invocation has left. */
const SHORT = { timeoutMs: 1_500, invocationMs: 8_000 };
/** Where any other outcome is, which comes before these times, on a busy machine too. */
const LONG = { timeoutMs: 60_000, invocationMs: 90_000 };

const KEY = { businessEntity: 'c360.city', sourceSystem: 'crm' };
const OPERATIONS = {
  read: { name: 'mdm-master-read', handler: masterRead, parameters: { ...KEY, sourcePKey: 'key-4711' } },
  submit: { name: 'mdm-source-submit', handler: sourceSubmit, parameters: { ...KEY, record: { name: 'Bonn' } } },
  delete: { name: 'mdm-source-delete', handler: sourceDelete, parameters: { ...KEY, sourcePKey: 'key-4711' } },
  get: { name: 'mdm-http-request', handler: httpRequest, parameters: { method: 'GET', path: '/key-4711' } },
  head: { name: 'mdm-http-request', handler: httpRequest, parameters: { method: 'HEAD', path: '/key-4711' } },
};
type Name = keyof typeof OPERATIONS;

const secrets = await use(startSecretsManager());
readSecretsAt(secrets.url);
process.env.LOG_LEVEL = 'error';
const lambda = await use(startContainer(secrets, { LOG_LEVEL: 'error' }));

/** A result, as `payload`, or the type of an error; and what else is to be the same from sources and bundle. */
interface Outcome {
  readonly is: unknown;
  readonly message?: string;
  readonly tookMs: number;
}

let configurations = 0;

/** Calls an operation on a dedicated server that takes these steps. */
async function call(name: Name, steps: readonly Step[], isPackaged: boolean, times: typeof LONG): Promise<Outcome> {
  const server = await startRawServer(steps);
  const configRef = `wire-${++configurations}`;
  secrets.set(`test/${configRef}`, {
    mdm: {
      auth: { type: 'session', sessionId: 'session-1' },
      baseUrl: `http://127.0.0.1:${server.port}`,
      timeoutMs: times.timeoutMs,
    },
  });
  const { name: operation, handler, parameters } = OPERATIONS[name];
  const payload = { configRef, ...parameters };
  const startedAt = performance.now();
  const tookMs = () => performance.now() - startedAt;
  try {
    const response = isPackaged
      ? await lambda.invoke<SourceResponse>(operation, payload, { timeoutMs: times.invocationMs })
      : await invokeSource(handler, payload, { timeoutMs: times.invocationMs });
    return { is: response.payload, tookMs: tookMs() };
  } catch (error) {
    const { errorType, errorMessage, name: type, message } = error as InvocationFailure & Error;
    const text = (errorMessage ?? message).replace(/127\.0\.0\.1:\d+/, 'the server'); // each call has its own
    return { is: errorType ?? type, message: text, tookMs: tookMs() };
  } finally {
    await server.close();
  }
}

const JSON_BODY = '{"ok":1}';
const BODY = { ok: 1 };
const [CONNECTIVITY, TIMEOUT, SERVER, CLIENT] = ['CONNECTIVITY', 'TIMEOUT', 'SERVER_ERROR', 'CLIENT_ERROR'].map(
  (type) => `MDM:${type}`,
) as [string, string, string, string];

const ok = (headers: string, body = JSON_BODY) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`;
const bytes = (headers: string, body: Buffer) => Buffer.concat([Buffer.from(ok(headers, '')), body]);
const chunked = (body: string) => ok('transfer-encoding: chunked', body);
const zipped = gzipSync(JSON_BODY);
const often = (count: number, ...steps: Step[]) => Array.from({ length: count }, () => steps).flat();

/**
 * What each operation comes to: the same for all, but for those that are named. A HEAD has no body that could be
 * broken.
 */
type Expected = Partial<Record<Name, unknown>>;
const all = (is: unknown, but: Expected = {}): Expected => ({
  read: is,
  submit: is,
  delete: is,
  get: is,
  head: is,
  ...but,
});
const failing = (type: string) => all(type, { head: null });
const empty: Expected = { read: SERVER, submit: {}, delete: {}, get: null, head: null };
const success = all(BODY, { head: null });
/** Large bodies: ten at once would only show how fast this machine is. */
const one: Expected = { read: SERVER };

const FAULTS: [fault: string, steps: Step[], expected: Expected][] = [
  ['bytes after a 204', ['HTTP/1.1 204 No Content\r\n\r\n{}'], empty],
  ['a 204 with a length and a body', ['HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n{}'], empty],
  ['a 204 in chunks', ['HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'], empty],
  ['a 304 with a body', [`HTTP/1.1 304 Not Modified\r\ncontent-length: 8\r\n\r\n${JSON_BODY}`], all(SERVER)],
  ['a length in characters', [ok('content-length: 17', '{"name":"Zürich"}')], failing(SERVER)],
  ['bytes after the length', [ok('content-length: 8', `${JSON_BODY}junk`)], failing(SERVER)],
  ['bytes after the last chunk', [chunked(`8\r\n${JSON_BODY}\r\n0\r\n\r\njunk`)], failing(SERVER)],
  [
    'bytes after "connection: close"',
    [ok('connection: close\r\ncontent-length: 8', `${JSON_BODY}junk`)],
    failing(SERVER),
  ],
  ['bytes after a 404', [`HTTP/1.1 404 Not Found\r\ncontent-length: 8\r\n\r\n${JSON_BODY}junk`], all(CLIENT)],
  ['two responses in one packet', [ok('content-length: 8') + ok('content-length: 8', '{"no":2}')], success],
  ['fewer bytes than the length', [ok('content-length: 20'), FIN], failing(CONNECTIVITY)],
  ['a reset before the length', [ok('content-length: 20'), 30, RST], failing(CONNECTIVITY)],
  ['fewer bytes, and then nothing', [ok('content-length: 20')], failing(TIMEOUT)],
  [
    'a 503 that is cut',
    ['HTTP/1.1 503 Busy\r\ncontent-length: 20\r\n\r\nbegin', FIN],
    all(CONNECTIVITY, { head: SERVER }),
  ],
  ['a missing last chunk', [chunked(`8\r\n${JSON_BODY}\r\n`), FIN], failing(CONNECTIVITY)],
  ['half a chunk', [chunked(`10\r\n${JSON_BODY}`), FIN], failing(CONNECTIVITY)],
  ['a chunk of no known size', [chunked(`x\r\n${JSON_BODY}\r\n0\r\n\r\n`)], failing(CONNECTIVITY)],
  ['a chunk of 2^72 bytes', [chunked(`ffffffffffffffffff\r\n${JSON_BODY}`)], failing(CONNECTIVITY)],
  ['a negative length', [ok('content-length: -1')], all(CONNECTIVITY)],
  ['two lengths', [ok('content-length: 8\r\ncontent-length: 9')], all(CONNECTIVITY)],
  ['a length and chunks', [ok('content-length: 8\r\ntransfer-encoding: chunked')], all(CONNECTIVITY)],
  ['a transfer coding that is not known', [bytes('transfer-encoding: gzip', zipped), FIN], failing(SERVER)],
  ['a reset response without a length', [`HTTP/1.0 200 OK\r\n\r\n${JSON_BODY}`, 30, RST], failing(CONNECTIVITY)],
  ['a status line of another protocol', ['SSH-2.0-OpenSSH_9.6\r\n'], all(CONNECTIVITY)],
  ['HTTP/2', [Buffer.from('000000040000000000', 'hex')], all(CONNECTIVITY)],
  ['an alert of TLS', [Buffer.from('15030300020228', 'hex'), FIN], all(CONNECTIVITY)],
  ['HTTP/0.9', [JSON_BODY, FIN], all(CONNECTIVITY)],
  ['the end in place of a response', [FIN], all(CONNECTIVITY)],
  ['a reset in place of a response', [20, RST], all(CONNECTIVITY)],
  ['no response', [], all(TIMEOUT)],
  ['half a status line', ['HTTP/1.1 20'], all(TIMEOUT)],
  ['half a header', ['HTTP/1.1 200 OK\r\ncontent-le', FIN], all(CONNECTIVITY)],
  ['headers over 64 kB', [ok(`x-large: ${'a'.repeat(70_000)}\r\ncontent-length: 8`)], all(SERVER)],
  ['a header with a NUL', [ok('x-odd: \0\r\ncontent-length: 8')], all(CONNECTIVITY)],
  [
    'a header over two lines',
    [`HTTP/1.1 200 OK\r\nx-odd: 1\r\n 2\r\ncontent-length: 8\r\n\r\n${JSON_BODY}`],
    all(CONNECTIVITY),
  ],
  ['lines without a CR', [`HTTP/1.1 200 OK\ncontent-length: 8\n\n${JSON_BODY}`], all(CONNECTIVITY)],
  [
    'another protocol (101)',
    ['HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'],
    all(CONNECTIVITY),
  ],
  ['100 Continue without end', often(80, 'HTTP/1.1 100 Continue\r\n\r\n', 40), all(TIMEOUT)],
  ['chunks without end', [chunked(''), ...often(80, '1\r\n \r\n', 40)], failing(TIMEOUT)],
  ['a body over 64 MB', [chunked(''), ...often(66, `100000\r\n${' '.repeat(0x100000)}\r\n`)], one],
  ['70 MB in a small body', [bytes('content-encoding: br', brotliCompressSync(Buffer.alloc(70_000_000))), FIN], one],
  ['gzip that is none', [ok('content-encoding: gzip\r\ncontent-length: 8')], failing(SERVER)],
  [
    'gzip that is cut, with its length',
    [bytes(`content-encoding: gzip\r\ncontent-length: ${zipped.length - 9}`, zipped.subarray(0, -9))],
    failing(SERVER),
  ],
  [
    'gzip of fewer bytes than its length',
    [bytes(`content-encoding: gzip\r\ncontent-length: ${zipped.length}`, zipped.subarray(0, -4)), FIN],
    failing(CONNECTIVITY),
  ],
  ['JSON that is cut, with its length', [ok('content-length: 5', '{"ok"')], failing(SERVER)],
  ['an empty 200', [ok('content-length: 0', '')], empty],
  ['a status of 600', [`HTTP/1.1 600 Odd\r\ncontent-length: 8\r\n\r\n${JSON_BODY}`], all(SERVER)],
  ['a status of four digits', [`HTTP/1.1 1000 Odd\r\ncontent-length: 8\r\n\r\n${JSON_BODY}`], all(CONNECTIVITY)],
  ['headers of 40 kB', [ok(`x-large: ${'a'.repeat(40_000)}\r\ncontent-length: 8`)], success],
  ['1,500 cookies', [ok(`${'set-cookie: a=1\r\n'.repeat(1500)}content-length: 8`)], success],
  ['early hints', [`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok('content-length: 8')}`], success],
  ['an offer of another protocol', [ok('connection: upgrade\r\nupgrade: h2c\r\ncontent-length: 8')], success],
  ['trailers before the end', [chunked(`8;x=y\r\n${JSON_BODY}\r\n0\r\nx-trailer: 1\r\n\r\n`), FIN], success],
  [
    'a last chunk in pieces before the end',
    [
      ok('connection: close\r\ntransfer-encoding: chunked', `8\r\n${JSON_BODY}\r\n`),
      ...often(1, 10, '0', 10, '\r', 10, '\n\r', 10, '\n', FIN),
    ],
    success,
  ],
  ['one byte at a time', [...ok('content-length: 8')].flatMap((byte) => [byte, 1]), success],
];

describe.each(FAULTS)('%s', (_, steps, expected) => {
  it('each call to a faulty peer ends in time, from source and packaged', async () => {
    const names = Object.keys(expected) as Name[];

    const outcomes = await Promise.all(
      names.map((name) => {
        const times = expected[name] === TIMEOUT ? SHORT : LONG;
        return Promise.all([call(name, steps, false, times), call(name, steps, true, times)]);
      }),
    );

    const seen = outcomes.map(([fromSources]) => fromSources.is);
    expect(Object.fromEntries(names.map((name, at) => [name, seen[at]]))).toEqual(expected);
    for (const [fromSources, packaged] of outcomes) {
      expect({ ...packaged, tookMs: 0 }).toEqual({ ...fromSources, tookMs: 0 });
      expect(packaged.message ?? '').not.toContain('4711');
      expect(Math.max(packaged.tookMs, fromSources.tookMs)).toBeLessThan(LONG.timeoutMs);
    }
  });
});
