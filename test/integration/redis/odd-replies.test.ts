import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { callStream } from '../../support/stream/call-stream.ts';
import { startContainer } from '../../support/aws/container.ts';
import { use } from '../../support/jest/use.ts';
import { streamCalls } from '../../support/stream/stream-calls.ts';

/*
 * What is no Redis, or stands before one, may reply what Redis never does: that is a 502, never a result or our fault.
 */

let reply = '+OK\r\n';
const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    const commands = String(chunk).match(/\*\d+\r\n\$\d+\r\n[A-Z]/g) ?? [];
    socket.write(reply.repeat(commands.length));
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
const secrets = await use(startSecretsManager({ 'test/default': { redis: { url: `redis://127.0.0.1:${port}` } } }));
const lambda = await use(startContainer(secrets));
afterAll(() => void server.close());

/** Those that send one command, and ask nothing before it. */
const calls = streamCalls.filter(
  ({ input, sinceRedis }) => !sinceRedis && !('block' in input || 'claimMinIdleMs' in input),
);

const ODD = [
  '+QUEUED',
  '$5\r\nhello',
  '*1\r\n*1\r\n$1\r\na',
  '*2\r\n$1\r\na\r\n*1\r\n:1',
  '*1\r\n$1\r\na',
  '*3\r\n:1\r\n:2\r\n*-1',
];

describe.each(ODD)('a malformed reply, %j', (line) => {
  it.each(calls)('a malformed reply to $title is a 502', async ({ operation, input }) => {
    reply = `${line}\r\n`;

    const { status, error, output } = await callStream(lambda, 'HTTP', operation, input);

    expect({ status, output, type: error?.type }).toEqual({ status: 502, type: 'STREAM:COMMAND' });
  });
});

it.each([
  ['xadd', ':7'],
  ['xlen', '$-1'],
  ['xgroup-destroy', ':2'],
  ['xgroup-create', ':1'],
  ['xpending', '*-1'],
])('a call of %s fails if the reply is %s', async (operation, line) => {
  reply = `${line}\r\n`;
  const { input } = calls.find((call) => call.operation === operation)!;

  const { status, error } = await callStream(lambda, 'HTTP', operation, input);

  expect({ status, type: error?.type }).toEqual({ status: 502, type: 'STREAM:COMMAND' });
});

it.each([
  ['-', 422],
  ['-ERR', 422],
  ['-DENIED Redis is running in protected mode', 502],
])('the error line %j results in an error with a detail', async (line, expected) => {
  reply = `${line}\r\n`;

  const { status, error } = await callStream(lambda, 'HTTP', 'xlen', { key: 's' });

  expect(status).toBe(expected);
  expect(error!.message).toMatch(/\w{3}/);
});
