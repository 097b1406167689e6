import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLambda, type Lambda } from '../../../sandbox/aws/lambda.ts';
import { startSecretsManager, type SecretsManager } from '../../../sandbox/aws/secrets-manager.ts';
import { callStream } from '../../support/stream/call-stream.ts';

/* What is no Redis, or stands before one, may reply what Redis never does: that is a 502, never a result or our fault. */

let reply = '+OK\r\n';
const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    const commands = String(chunk).match(/\*\d+\r\n\$\d+\r\n[A-Z]/g) ?? [];
    socket.write(reply.repeat(commands.length));
  });
});
let secrets: SecretsManager;
let lambda: Lambda;
beforeAll(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = server.address() as AddressInfo;
  secrets = await startSecretsManager({ 'test/default': { redis: { url: `redis://127.0.0.1:${port}` } } });
  lambda = await startLambda({
    env: { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url },
  });
});
afterAll(async () => {
  await Promise.all([lambda.stop(), secrets.close()]);
  server.close();
});

const group = { key: 's', group: 'g' };
const member = { group: 'g', consumer: 'c' };
const claim = { ...group, consumer: 'c', minIdleMs: 0 };
const CALLS: [operation: string, parameters: object][] = [
  ['xack', { ...group, ids: ['1-0'] }],
  ['xadd', { key: 's', entry: { a: '1' } }],
  ['xadd-batch', { key: 's', entries: [{ a: '1' }] }],
  ['xautoclaim', claim],
  ['xautoclaim', { ...claim, justId: true }],
  ['xclaim', { ...claim, ids: ['1-0'] }],
  ['xclaim', { ...claim, ids: ['1-0'], justId: true }],
  ['xdel', { key: 's', ids: ['1-0'] }],
  ['xgroup-create', { ...group, mkstream: true }],
  ['xgroup-createconsumer', { ...group, consumer: 'd' }],
  ['xgroup-delconsumer', { ...group, consumer: 'd' }],
  ['xgroup-destroy', group],
  ['xgroup-setid', { ...group, lastEntryId: '0' }],
  ['xinfo-consumers', group],
  ['xinfo-groups', { key: 's' }],
  ['xinfo-stream', { key: 's' }],
  ['xlen', { key: 's' }],
  ['xpending', group],
  ['xpending', { ...group, start: '-', end: '+', count: 9 }],
  ['xrange', { key: 's', start: '-', end: '+' }],
  ['xread', { streamWatermarks: [{ key: 's', id: '0' }] }],
  ['xreadgroup', { ...member, streamWatermarks: [{ key: 's', id: '>' }] }],
  ['xrevrange', { key: 's' }],
  ['xtrim', { key: 's', evictionOption: { maxLength: 1 } }],
];

const ODD = [
  '+QUEUED',
  '$5\r\nhello',
  '*1\r\n*1\r\n$1\r\na',
  '*2\r\n$1\r\na\r\n*1\r\n:1',
  '*1\r\n$1\r\na',
  '*3\r\n:1\r\n:2\r\n*-1',
];

describe.each(ODD)('a reply of an unknown form, %j', (line) => {
  it.each(CALLS)('is a 502 of %s %j', async (operation, parameters) => {
    reply = `${line}\r\n`;

    const { status, error, output } = await callStream(lambda, 'HTTP', operation, parameters);

    expect({ status, output, type: error?.type }).toEqual({ status: 502, type: 'STREAM:COMMAND' });
  });
});

it.each([
  ['xadd', ':7'],
  ['xlen', '$-1'],
  ['xgroup-destroy', ':2'],
  ['xgroup-create', ':1'],
  ['xpending', '*-1'],
])('nor is %s a result where the reply is %s', async (operation, line) => {
  reply = `${line}\r\n`;
  const [, parameters] = CALLS.find(([name]) => name === operation)!;

  const { status, error } = await callStream(lambda, 'HTTP', operation, parameters);

  expect({ status, type: error?.type }).toEqual({ status: 502, type: 'STREAM:COMMAND' });
});

it.each([
  ['-', 422],
  ['-ERR', 422],
  ['-DENIED Redis is running in protected mode', 502],
])('the error line %j has a detail', async (line, expected) => {
  reply = `${line}\r\n`;

  const { status, error } = await callStream(lambda, 'HTTP', 'xlen', { key: 's' });

  expect(status).toBe(expected);
  expect(error!.message).toMatch(/\w{3}/);
});
