import { describe, expect, it } from '@jest/globals';
import { Headers } from 'node-fetch';
import { errorOf, type Secrets } from '#lib/mdm/exchange/errors.ts';
import { keysIn } from '#lib/mdm/exchange/path.ts';

const JSON_TYPE = 'application/json';

interface Given {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  secrets?: Secrets;
}

/** The error of a response with this body. */
function errorFor(
  body: unknown,
  { status = 400, type = JSON_TYPE, headers = {}, secrets = { values: [] } }: Given = {},
) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const all = new Headers({ 'content-type': type, ...headers });
  return errorOf({ status, reason: '', headers: all, body: bytes }, secrets);
}

const said = (body: unknown, given?: Given) =>
  errorFor(body, given).message.replace(/^The master data API answered 400(: )?/, '');

describe('what the API says was wrong', () => {
  it.each<[string, unknown, string?]>([
    ['its own error', { errorSummary: 'It is locked', errorDetail: { details: [{ message: 'by a job' }] } }],
    ['plain text', 'It is locked;\r\nby a job\n', 'text/plain; charset=utf-8'],
    [
      'a problem (RFC 9457)',
      { type: 'about:blank', title: 'Locked', detail: 'It is locked; by a job' },
      'application/problem+json',
    ],
    ['a problem with errors', { detail: 'It is locked', errors: [{ detail: 'by a job', pointer: '#/a' }] }],
    ['a list of errors', { errors: [{ message: 'It is locked' }, { message: 'by a job' }] }],
    ['a list of texts', { errors: ['It is locked', 'by a job', 'by a job'] }],
    ['a bare list', [{ message: 'It is locked' }, { message: 'by a job' }]],
    ['a bare text', '"It is locked; by a job"'],
    ['details within an error', { error: { message: 'It is locked', details: [{ message: 'by a job' }] } }],
    ['details at the root', { message: 'It is locked', details: ['by a job'] }],
    ['errorDetails', { errorSummary: 'It is locked', errorDetails: [{ errorMessage: 'by a job' }] }],
    ['errorDetail that is a text', { errorSummary: 'It is locked', errorDetail: 'by a job' }],
    ['errorMessage', { errorMessage: 'It is locked; by a job' }],
    ['errors by field', { errors: { name: ['It is locked'], city: ['by a job'] } }],
    ['an error within', { error: { code: 'X', message: 'It is locked; by a job' } }],
    ['an error of OAuth', { error: 'locked', error_description: 'It is locked; by a job' }],
    ['an error that is a text', { error: 'It is locked; by a job' }],
    ['JSON over 64 kB', { filler: 'x'.repeat(200_000), message: 'It is locked; by a job' }],
    ['JSON under the name of text', '{"message":"It is locked; by a job"}', 'text/plain'],
    ['JSON without a type', '{"message":"It is locked; by a job"}', ''],
  ])("the API's message is read from %s", (_, body, type = JSON_TYPE) => {
    expect(said(body, { type })).toBe('It is locked; by a job');
  });

  it.each([
    ['latin1', 'text/plain; charset=ISO-8859-1'],
    ['utf16le', 'text/plain; charset="utf-16le"'],
  ] as const)("the API's message is decoded by its charset: %s", (encoding, type) => {
    expect(said(Buffer.from('Zürich is locked', encoding), { type })).toBe('Zürich is locked');
  });

  it.each([
    ['HTML', '<!DOCTYPE html><html><body>It is locked</body></html>', 'text/html'],
    ['HTML under the name of text', '\n<html><body>It is locked</body></html>', 'text/plain'],
    ['XML', '<?xml version="1.0"?><error>It is locked</error>', 'text/plain'],
    ['bytes', Buffer.from([0xff, 0xd8, 0xff]), 'image/jpeg'],
    ['a charset that nobody knows', '{', 'text/html; charset=klingon'],
    ['nothing', '', 'text/plain'],
    ['null', 'null', JSON_TYPE],
    ['a number', '17', JSON_TYPE],
    ['false', 'false', JSON_TYPE],
    ['odd members', '{"errors":[null,7,{}],"message":{},"errorDetail":{"details":{}},"error":[]}', JSON_TYPE],
  ])("the API's message is not taken from %s", (_, body, type) => {
    expect(said(body, { type })).toBe('');
  });

  it("the API's message is masked, and cut at 1,000 characters", () => {
    const words = 'The record of Mustermann is locked. '.repeat(100);

    const text = said(words, { type: 'text/plain', secrets: { values: [{ lastName: 'Mustermann' }] } });

    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text.length).toBeGreaterThan(900);
    expect(text).toMatch(/^The record of … is locked\. The record/);
    expect(text).not.toContain('Muster');
  });

  it("the API's message is never cut within a secret value so that its beginning shows", () => {
    const key = `key-${'4711'.repeat(5)}`;
    const long = 'z'.repeat(1500);
    for (let at = 1970; at <= 2001; at++) {
      const body = `${long}${' '.repeat(at - long.length)}${key} is locked`;
      expect(said(body, { type: 'text/plain', secrets: { values: [long, key] } })).not.toMatch(/key-|4711/);
    }
  });

  it("the API's message is not read from a body over 8 MB", () => {
    expect(said({ message: 'It is locked', filler: 'x'.repeat(8 * 1024 * 1024) })).toBe('');
  });
});

describe('the parts of an error', () => {
  const partsOf = (body: unknown, secrets: Secrets = { values: [] }) => errorFor(body, { secrets }).upstreamErrors;

  it.each<[string, unknown, object[]]>([
    [
      'errorDetail.details',
      { errorSummary: 's', errorDetail: { details: [{ code: 'A1', message: 'm', fieldName: 'name' }] } },
      [{ code: 'A1', field: 'name', message: 'm' }],
    ],
    ['errorDetail.details without fields', { errorDetail: { details: [{ message: 'm' }] } }, [{ message: 'm' }]],
    ['error.details', { error: { details: [{ code: 7, message: 'm' }] } }, [{ code: '7', message: 'm' }]],
    [
      'errors by field',
      { errors: { name: ['m', 'n'] } },
      [
        { field: 'name', message: 'm' },
        { field: 'name', message: 'n' },
      ],
    ],
    ['a problem', { detail: 'd', errors: [{ detail: 'm', pointer: '/a' }] }, [{ field: '/a', message: 'm' }]],
    ['a text', { errorDetail: 'm' }, [{ message: 'm' }]],
    ['a code alone', { details: [{ code: 'A1' }] }, []],
  ])('the parts of an error are read from %s', (_, body, parts) => {
    expect(partsOf(body)).toEqual(parts);
  });

  it('the parts of an error are masked one by one, and cut', () => {
    const secrets = { values: ['4711', { lastName: 'Mustermann', long: 'z'.repeat(400) }] };
    const details = [
      { code: 'E_4711', field: 'lastName', message: 'Mustermann is too long' },
      { code: 'E_2', message: 'x'.repeat(1000) },
    ];

    const [first, second] = partsOf({ errorDetail: { details } }, secrets);

    expect(first).toEqual({ field: 'lastName', message: '… is too long' });
    expect(second!.message).toHaveLength(300);
  });

  it('a part of an error is never cut within a secret value so that its beginning shows', () => {
    const key = `key-${'4711'.repeat(5)}`;
    const long = 'z'.repeat(200);
    for (let at = 330; at <= 370; at++) {
      const details = [{ message: long.padEnd(at, '. ') + key }];
      expect(partsOf({ details }, { values: [long, key] })).toEqual([
        { message: expect.not.stringMatching(/ke|4711/) },
      ]);
    }
  });

  it('parts of an error keep apart whatever their texts contain', () => {
    const details = [
      { code: 'A1', field: 'a\u0001b', message: 'm\u0002n' },
      { code: 'A2', message: 'o' },
    ];

    expect(partsOf({ details })).toEqual([
      { code: 'A1', field: 'a b', message: 'm n' },
      { code: 'A2', message: 'o' },
    ]);
    expect(partsOf({ details: [{ code: 'A1', message: 'a%01b' }, { message: 'c%02d' }] })).toEqual([]);
  });

  it('an error has at most 50 parts, no matter how deep they are nested', () => {
    const details = Array.from({ length: 200 }, (_, index) => ({ message: `m${index}` }));
    const nested = `${'{"details":'.repeat(20_000)}"m"${'}'.repeat(20_000)}`;

    expect(partsOf({ details })).toHaveLength(50);
    expect(partsOf(nested)).toEqual([]);
  });
});

describe('an error code and a request id', () => {
  const ROOTS = { entity: '/business-entity/public/api/v1/entity' };
  const shown = (code: string, secrets: Secrets) => {
    const { upstreamCode, upstreamRequestId } = errorFor(
      { errorCode: code },
      { headers: { 'x-request-id': `req-1-${code}` }, secrets },
    );
    expect(upstreamRequestId === undefined).toBe(upstreamCode === undefined);
    return upstreamCode;
  };

  it.each<[string, string, Secrets]>([
    ['words of a path', 'IMPORT_JOB_RUNNING', { values: [], words: keysIn('/import/job', ROOTS) }],
    ['words of a path in capitals', 'IMPORT_JOB_RUNNING', { values: [], words: keysIn('/Import/JOB', ROOTS) }],
    ['a word of a header', 'IMPORT_JOB_RUNNING', { values: [], words: ['import'] }],
    ['a key of one digit', 'E_1', { values: ['1'] }],
    ['short values of a record', 'E_100', { values: [{ country: 'req', n: 100 }] }],
    ['a part of a word', 'E_SMITHSON', { values: [{ lastName: 'Smith' }] }],
  ])('an error code and a request id may contain %s', (_, code, secrets) => {
    expect(shown(code, secrets)).toBe(code);
  });

  it.each<[string, string, Secrets]>([
    ['a value of the record', 'SMITH_INVALID', { values: [{ lastName: 'Smith' }] }],
    ['a number of the record', 'E_48211', { values: [{ income: 48211 }] }],
    ['a key', 'KEY:abcd', { values: ['abcd'] }],
    ['a segment of the path with a digit', 'KEY:a471', { values: [], words: keysIn('/records/a471', ROOTS) }],
    ['a header with a digit', 'KEY:apikey7', { values: [], words: ['apikey7'] }],
  ])('an error code and a request id are omitted if they contain %s as a whole word', (_, code, secrets) => {
    expect(shown(code, secrets)).toBeUndefined();
  });

  it('an error code and a request id are omitted if they consist of a short key', () => {
    expect(errorFor({ errorCode: '17' }, { secrets: { values: ['17'] } }).upstreamCode).toBeUndefined();
  });

  it.each([
    ['two words', 'two words'],
    ['a long text', 'x'.repeat(300)],
    ['no ASCII', 'Größe'],
    ['control characters', 'a\tb'],
    ['an empty text', ''],
  ])('an error code and a request id are omitted if they are %s', (_, text) => {
    const body = { errorCode: text, requestId: text, message: 'm' };
    expect(errorFor(body)).toMatchObject({ upstreamCode: undefined, upstreamRequestId: undefined });
  });

  it('an error code and a request id may be numbers', () => {
    expect(errorFor({ errorCode: 40017, errorSummary: 'x' }).upstreamCode).toBe('40017');
  });

  it('an error code and a request id are read from a list of errors', () => {
    expect(errorFor({ errors: [{ code: 'LOCKED', message: 'x' }] }).upstreamCode).toBe('LOCKED');
  });
});

it.each([
  [101, 'MDM:SERVER_ERROR', 502],
  [199, 'MDM:SERVER_ERROR', 502],
  [300, 'MDM:CONNECTIVITY', 503],
  [304, 'MDM:SERVER_ERROR', 502],
  [400, 'MDM:CLIENT_ERROR', 400],
  [600, 'MDM:SERVER_ERROR', 502],
])('an API status of %i is reported as %s', (status, type, ours) => {
  expect(errorFor('', { status })).toMatchObject({ type, status: ours, upstreamStatus: status });
});

it.each([
  [400, 'refused'],
  [408, 'unknown'],
  [429, 'refused'],
  [500, 'unknown'],
  [302, 'refused'],
])('after an API status of %i, what a change did is %s', (status, outcome) => {
  expect(errorFor('', { status }).outcome).toBe(outcome);
});
