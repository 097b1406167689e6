import { describe, expect, it, jest } from '@jest/globals';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import Type from 'typebox';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { ConnectorError } from '#lib/core/errors.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { endpoint } from '#lib/endpoint/endpoint.ts';
import { Invocation } from '#lib/invocation/invocation.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';

const echo = defineOperation({
  name: 'stream-echo',
  group: 'streams',
  summary: 'Gives back what it was sent',
  input: Type.Object({ say: Type.Unknown() }),
  output: Type.Unknown(),
  errors: ['STREAM:COMMAND'],
  idempotent: false,
  example: { input: { say: 'hi' }, output: 'hi' },
  narrowWith: 'say',
});
const context = { awsRequestId: 'request-1' } as Context;
const handlerOf = (run: (say: unknown) => unknown, textOutput = false) =>
  endpoint(
    { ...echo, textOutput },
    () => undefined,
    ({ say }) => run(say),
  );

async function post(run: (say: unknown) => unknown, body: string, { headers = {}, textOutput = false } = {}) {
  const event = httpEvent('POST', '/stream/echo', body, headers);
  return (await handlerOf(run, textOutput)(event, context)) as APIGatewayProxyStructuredResultV2;
}
const same = (say: unknown) => say;
const throwing = (error: unknown) => () => {
  throw error;
};
const problemOf = (response: APIGatewayProxyStructuredResultV2) =>
  JSON.parse(response.body!) as Record<string, unknown>;

/** What a call returns, and what it writes to the log. */
async function withLog<T>(call: () => Promise<T>): Promise<{ result: T; logged: string }> {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    return { result: await call(), logged: write.mock.calls.map(([line]) => String(line)).join('') };
  } finally {
    write.mockRestore();
  }
}

describe('an HTTP call', () => {
  it('answers with the output as JSON with exact numbers', async () => {
    const response = await post(same, '{"say":{"id":714189942313869312}}');

    expect(response).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/json' } });
    expect(response.body).toBe('{"id":714189942313869312}');
  });

  it('answers 204 without a body if there is no output', async () => {
    expect(await post(() => null, '{"say":1}')).toEqual({ statusCode: 204 });
    expect(await post(() => undefined, '{"say":1}')).toEqual({ statusCode: 204 });
  });

  it('answers 200 for falsy outputs', async () => {
    expect((await post(same, '{"say":0}')).body).toBe('0');
    expect((await post(same, '{"say":false}')).body).toBe('false');
  });

  it.each([
    ['*/*', 'text/plain; charset=utf-8', '1-0'],
    ['application/json', 'application/json', '"1-0"'],
    ['text/plain;q=0.5, application/json', 'application/json', '"1-0"'],
    ['text/html, */*;q=0.8', 'text/plain; charset=utf-8', '1-0'],
  ])('answers with text or JSON for Accept: %s', async (accept, contentType, body) => {
    const response = await post(same, '{"say":"1-0"}', { headers: { accept }, textOutput: true });

    expect(response).toMatchObject({ headers: { 'content-type': contentType }, body });
  });

  it('gzips a large body if the client accepts gzip', async () => {
    const say = 'a'.repeat(5000);

    const zipped = await post(same, JSON.stringify({ say }), { headers: { 'accept-encoding': 'br, gzip' } });
    const refused = await post(same, JSON.stringify({ say }), { headers: { 'accept-encoding': 'gzip;q=0' } });

    expect(gunzipSync(Buffer.from(zipped.body!, 'base64')).toString()).toBe(JSON.stringify(say));
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(refused).toMatchObject({ body: JSON.stringify(say), headers: { vary: 'accept-encoding' } });
  });

  it.each([
    [1000, undefined],
    [1500, 'gzip'],
  ])('encodes a body of %i bytes for a client that accepts gzip as %s', async (length, encoding) => {
    const say = 'a'.repeat(length - 2); // and its quotes

    const { headers } = await post(same, JSON.stringify({ say }), { headers: { 'accept-encoding': 'gzip' } });

    expect(headers!['content-encoding']).toBe(encoding);
  });

  it('does not gzip for a client that accepts other encodings alone', async () => {
    const headers = { 'accept-encoding': 'br, identity;q=0' };

    expect((await post(same, JSON.stringify({ say: 'a'.repeat(5000) }), { headers })).isBase64Encoded).toBeUndefined();
  });

  it.each([
    ['without headers', {}],
    ['with null for headers', { headers: null }],
    ['with headers that are no text', { headers: { accept: 5, 'accept-encoding': ['gzip'], traceparent: {} } }],
  ])('answers a hand-made event %s', async (_what, more) => {
    const { headers: _headers, ...made } = httpEvent('POST', '/stream/echo', '{"say":"hi"}');
    const event = { ...made, ...more };

    expect(await handlerOf(same)(event, context)).toMatchObject({ statusCode: 200, body: '"hi"' });
    for (const body of ['{}', null, { say: 'hi' }]) {
      expect(await handlerOf(same)({ ...event, body }, context)).toMatchObject({ statusCode: 400 });
    }
  });

  it.each(['{', '[1]', '"text"', '""', '7', 'null'])('answers 400 for the body %s', async (body) => {
    const response = await post(same, body);

    expect(response.statusCode).toBe(400);
    expect(response.headers).toMatchObject({ 'content-type': 'application/problem+json' });
    expect(problemOf(response)).toMatchObject({
      type: 'STREAM:ARGUMENT',
      errors: [{ pointer: '' }],
      requestId: 'request-1',
    });
  });

  it.each([undefined, null, '', ' \n'])('treats the body %j as no parameters', async (body) => {
    const event = { ...httpEvent('POST', '/stream/echo', ''), body };

    const response = (await handlerOf(same)(event, context)) as APIGatewayProxyStructuredResultV2;

    expect(problemOf(response)).toMatchObject({ errors: [{ pointer: '/say', message: 'is required' }] });
  });

  it.each([
    ['that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'must be JSON'],
    [
      'nested 100,000 deep with an exact number',
      Buffer.from(`{"say":${'['.repeat(100_000)}9007199254740993${']'.repeat(100_000)}}`),
      'is nested too deeply',
    ],
  ])('refuses a body %s', async (_what, bytes, message) => {
    const event = { ...httpEvent('POST', '/stream/echo', ''), body: bytes.toString('base64'), isBase64Encoded: true };

    const response = (await handlerOf(same)(event, context)) as APIGatewayProxyStructuredResultV2;

    expect(response.statusCode).toBe(400);
    expect(problemOf(response)).toMatchObject({ errors: [{ pointer: '', message }] });
  });

  it.each([
    ['quotes, each of which travels as four bytes', '"'.repeat(2_000_000), false],
    ['control characters as text, each of which travels as six bytes', '\u0001'.repeat(1_200_000), true],
  ])("answers 413, naming the parameter, if %s exceed Lambda's limit", async (_what, output, textOutput) => {
    const response = await post(() => output, '{"say":1}', { textOutput });

    expect(response.statusCode).toBe(413);
    expect(problemOf(response)).toMatchObject({ type: 'STREAM:COMMAND', detail: expect.stringContaining('say') });
  });

  it('passes on the upstream error code', async () => {
    const error = new ConnectorError('STREAM:COMMAND', 'The group does not exist', {
      status: 404,
      upstreamCode: 'NOGROUP',
    });

    const response = await post(throwing(error), '{"say":1}');

    expect(response.statusCode).toBe(404);
    expect(problemOf(response)).toMatchObject({
      title: 'The command failed',
      upstreamCode: 'NOGROUP',
      retryable: false,
    });
  });

  it('says in whole seconds when to call again, never too early', async () => {
    const error = new ConnectorError('STREAM:COMMAND', 'The shard is full', { status: 429, retryAfterMs: 1200 });

    expect((await post(throwing(error), '{"say":1}')).headers).toMatchObject({ 'retry-after': '2' });
  });

  it("hides an internal error's details from the caller, and logs them", async () => {
    const { result: response, logged } = await withLog(() =>
      post(throwing(new TypeError('reading x of hunter2')), '{"say":1}'),
    );

    expect(response.statusCode).toBe(500);
    expect(problemOf(response)).toMatchObject({ type: 'CONNECTOR:INTERNAL', requestId: 'request-1' });
    expect(response.body).not.toContain('hunter2');
    expect(logged).toContain('reading x of hunter2');
    expect(logged).toContain('"changed":"unknown"');
  });
});

describe('a direct invocation', () => {
  it.each(['custom', 'Custom'])('goes on with the trace in `%s` of its client context', async (member) => {
    const clientContext = { [member]: { correlationId: 'order-17' } };

    const { logged } = await withLog(() =>
      handlerOf(same)({ say: 1 }, { ...context, clientContext } as unknown as Context),
    );

    expect(logged).toContain('"correlationId":"order-17"');
  });

  it("writes an invocation's metrics once its work is done", async () => {
    const steps: string[] = [];
    const end = jest.spyOn(Invocation.prototype, 'end').mockImplementation(() => void steps.push('metrics'));
    const run = async () => {
      await setImmediate();
      steps.push('work');
    };

    await handlerOf(run)({ say: 1 }, context).finally(() => end.mockRestore());

    expect(steps).toEqual(['work', 'metrics']);
  });

  it.each([
    [
      'a REST API or a load balancer',
      { resource: '/x', path: '/x', httpMethod: 'POST', headers: {}, requestContext: { stage: 'v1' }, body: '{}' },
    ],
    [
      'a REST API or a load balancer',
      { requestContext: { elb: { targetGroupArn: 'arn' } }, httpMethod: 'POST', path: '/', body: '' },
    ],
    ['aws:sqs', { Records: [{ messageId: '1', body: '{"say":"hi"}', eventSource: 'aws:sqs' }] }],
    ['aws:sns', { Records: [{ EventSource: 'aws:sns', Sns: { Message: '{"say":"hi"}' } }] }],
    ['EventBridge', { version: '0', 'detail-type': 'placed', source: 'orders', detail: { say: 'hi' } }],
  ])('says that an event of %s holds no parameters, and what helps', async (sender, event) => {
    const failure = await handlerOf(same)(event, context).catch((error: unknown) => error);

    expect(failure).toMatchObject({
      name: 'STREAM:ARGUMENT',
      message: expect.stringContaining(`must be the parameters, and not an event of ${sender}`),
      stack: expect.stringContaining('or through an HTTP API with payload format 2.0.'),
    });
  });

  it('takes parameters that have one member of such an event for parameters', async () => {
    const failure = await handlerOf(same)({ say: 1, httpMethod: 'POST' }, context).catch((error: unknown) => error);

    expect((failure as Error).message).toMatch(/\/httpMethod is not known/);
  });

  it('repeats nothing of an event that AWS did not send', async () => {
    const event = { Records: [{ eventSource: 'aws:sqs of hunter2' }] };

    const failure = await handlerOf(same)(event, context).catch((error: unknown) => error);

    expect((failure as Error).message).toMatch(/^2 faults: .*\/Records is not known/);
    expect((failure as Error).message).not.toContain('hunter2');
  });

  it('returns the bare output of a direct invocation', async () => {
    expect(await handlerOf(same)({ say: { a: 1 } }, context)).toEqual({ a: 1 });
    expect(await handlerOf(() => undefined)({ say: 1 }, context)).toBeUndefined();
  });

  it('fails a direct invocation with the type as the name, and no other member', async () => {
    const error = await handlerOf(same)({ say: 1, configRef: 'NO', other: 2 }, context).catch(
      (e: unknown) => e as Error,
    );

    expect(error).toMatchObject({ name: 'STREAM:ARGUMENT' });
    expect(error).toHaveProperty('message', expect.stringContaining('/configRef must be 1 to 64'));
    expect(error).toHaveProperty('message', expect.stringContaining('/other is not known'));
    expect((error as Error).stack).not.toContain('endpoint');
    expect(Object.keys(error as Error)).toEqual(['name']);
  });

  it.each([null, 'text', [1], 7])('refuses the payload %j of a direct invocation', async (payload) => {
    await expect(handlerOf(same)(payload, context)).rejects.toMatchObject({ name: 'STREAM:ARGUMENT' });
  });
});
