import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { beforeEach, expect, it } from '@jest/globals';
import { httpTransport } from '#lib/client/http.ts';
import { lambdaTransport } from '#lib/client/lambda.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { use } from '#test/support/jest/use.ts';

/* What the client makes of the responses of API Gateway, of a proxy and of Lambda itself. */

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

let reply: Reply;
const server = await use(
  createServer((_, response) => {
    const { status, headers = {}, body = '{}' } = reply;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  }).listen(0, '127.0.0.1'),
);
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const lambda = new LambdaClient({
  endpoint: url,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
});
const byLambda = lambdaTransport({ functionPrefix: 'mdm-stream-prod-', lambda });
beforeEach(() => {
  reply = { status: 200 };
});

it.each([
  [404, 'not-sent', false],
  [408, 'unknown', true],
  [429, 'not-sent', true],
  [503, 'unknown', true],
])('a %d of API Gateway has the outcome %s', async (status, outcome, retryable) => {
  reply = { status };

  const sent = httpTransport({ url }).send('stream-xlen', '{}');

  await expect(sent).rejects.toMatchObject({ type: 'CLIENT:TRANSPORT', status, outcome, retryable });
});

it('a request to a port where nothing listens was not sent', async () => {
  const transport = httpTransport({ url: `http://127.0.0.1:${await freePort()}` });

  const sent = transport.send('stream-xlen', '{}');

  await expect(sent).rejects.toMatchObject({ status: 503, outcome: 'not-sent', retryable: true });
});

it.each([
  [429, 'TooManyRequestsException', 'not-sent', true, 7000],
  [404, 'ResourceNotFoundException', 'not-sent', false, undefined],
  [500, 'ServiceException', 'unknown', true, undefined],
])('a %d of Lambda, %s, has the outcome %s', async (status, name, outcome, retryable, retryAfterMs) => {
  const retryAfter: Record<string, string> = retryAfterMs ? { 'retry-after': String(retryAfterMs / 1000) } : {};
  reply = { status, headers: { 'x-amzn-errortype': name, ...retryAfter } };

  const sent = byLambda.send('stream-xlen', '{}');

  await expect(sent).rejects.toMatchObject({ type: 'CLIENT:TRANSPORT', status, outcome, retryable, retryAfterMs });
});

it.each([
  ['null', ''],
  ['7', '7'],
])('an output of Lambda, %s, is the text "%s"', async (body, text) => {
  reply = { status: 200, body };

  expect(await byLambda.send('stream-xlen', '{}')).toBe(text);
});
