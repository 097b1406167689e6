import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Client } from '#lib/client/client.ts';
import { operationError, type OperationError } from '#lib/client/error.ts';
import type { Problem } from '#lib/core/problem.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { ERROR_CASES, randomText, type ErrorCase } from '../../support/contract/error-cases.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { startOfflineStack } from '../../support/stack/offline-stack.ts';
import { startWaysIn } from '../../support/contract/ways-in.ts';
import { use } from '../../support/jest/use.ts';

/** The tables of docs/errors.md: what happened, type, status. */
const rows = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| (.+?) +\| `([A-Z:_]+)` +\| (.+?) +\|/gm)].map(
  ([, what, type, status]) => ({ what: what!, type: type!, status: status! }),
);

const servers: Server[] = [];
const sockets = new Set<Socket>();

/** A TCP server that sends this reply to anything it receives. */
async function startTcp(reply: (text: string) => string): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('data', (data) => socket.write(reply(data.toString())));
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

afterEach(() => stack.mdm.behave());
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

const commandsIn = (text: string) => text.match(/^\*/gm)?.length ?? 0;

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());
const replica = await use(startRedisServer());
await replica.command('REPLICAOF', '127.0.0.1', '1');
await redis.command('SET', 'text', 'no stream');
await redis.command('XGROUP', 'CREATE', 'stream', 'group', '$', 'MKSTREAM');
await redis.command('XADD', 'stream', '1-1', 'a', '1');
for (let n = 0; n < 7; n++) await redis.command('XADD', 'large', '*', 'n', randomText(1_100_000));
const { secret } = stack.mdm;
const url = redis.url;
const nonsense = await startTcp((text) => (/XINFO/i.test(text) ? ':1\r\n' : '+OK\r\n'.repeat(commandsIn(text))));
const configurations: Record<string, object> = {
  default: { mdm: secret, redis: { url } },
  refused: { mdm: { ...secret, auth: { ...(secret.auth as object), password: 'wrong' } } },
  hasty: { mdm: { ...secret, timeoutMs: 500 } },
  nowhere: { mdm: { ...secret, baseUrl: `http://127.0.0.1:${await freePort()}` } },
  unfit: { mdm: { ...secret, timeoutMs: 'long' } },
  stranger: { redis: { url: url.replace('//', '//nobody:x@') } },
  replica: { redis: { url: replica.url } },
  'no-redis': { redis: { url: `redis://127.0.0.1:${await freePort()}` } },
  silent: { redis: { url: `redis://127.0.0.1:${await startTcp(() => '')}`, commandTimeoutMs: 200 } },
  'read-only': { mdm: secret, redis: { url }, access: { readOnly: true } },
  nonsense: { redis: { url: `redis://127.0.0.1:${nonsense}` } },
};
for (const [configRef, configuration] of Object.entries(configurations)) {
  for (const prefix of ['test/', 'mdm-stream/local/']) stack.secrets.set(`${prefix}${configRef}`, configuration);
}
const env = { AWS_ENDPOINT_URL_SECRETS_MANAGER: stack.secrets.url };
const ways = await use(startWaysIn(env));
const offline = await use(startOfflineStack(stack.secrets.url));

async function fail(client: Client, { operation, input, mdm }: ErrorCase): Promise<OperationError> {
  stack.mdm.behave();
  if (mdm) stack.mdm.misbehave({ times: null, ...mdm });
  return client.invoke(operation, input as never).then(
    (output) => {
      const problem = (output as { results?: { error?: Problem }[] } | null)?.results?.at(-1)?.error;
      if (problem) return operationError(operation, problem);
      throw new Error(`${operation} returned ${JSON.stringify(output).slice(0, 200)}`);
    },
    (error: OperationError) => error,
  );
}

/** All fields, with the ids that differ per call reduced to whether they exist. */
function fieldsOf({ message, requestId, upstreamRequestId, ...fields }: OperationError): object {
  return {
    message,
    ...fields,
    cause: undefined,
    requestId: requestId !== undefined,
    upstreamRequestId: upstreamRequestId !== undefined,
  };
}

/** A refused session makes the pause before the next login longer from call to call. */
const withoutPause = (fields: object) => ({ ...fields, retryAfterMs: 'retryAfterMs' in fields });

/** No call is known that meets a fault of ours: test/unit/endpoint shows how one is mapped. */
const isOurs = (what: string) => what.startsWith('a bug of this project');

describe('docs/errors.md', () => {
  it('docs/errors.md has a call for each of its rows', () => {
    const without = rows.filter(({ what }) => !ERROR_CASES.some(({ row }) => what.startsWith(row)) && !isOurs(what));

    expect(rows.length).toBeGreaterThan(20);
    expect(without).toEqual([]);
  });

  it.each(ERROR_CASES.map((errorCase) => [errorCase.row, errorCase] as const))(
    'an error is the same over HTTP, over Invoke and on the local stack: %s',
    async (row, errorCase) => {
      const { type, status } = rows
        .filter(({ what }) => what.startsWith(row))
        .sort((a, b) => a.what.length - b.what.length)[0]!;
      const inTurn = async ({ overHttp, overLambda }: { overHttp: Client; overLambda: Client }) => [
        fieldsOf(await fail(overHttp, errorCase)),
        fieldsOf(await fail(overLambda, errorCase)),
      ];
      const errors = (await Promise.all([ways, offline].map(inTurn))).flat();

      const { faults, ...expected } = (errorCase.expected ?? {}) as { faults?: { pointer: string }[] };
      expect(errors[0]).toMatchObject({ type, ...(/^\d+$/.test(status) && { status: Number(status) }), ...expected });
      expect(errors[0]).toMatchObject({ requestId: true, message: expect.stringMatching(/\w/) });
      const pointers = (errors[0] as OperationError).faults.map(({ pointer }) => pointer);
      if (faults) expect(pointers.sort()).toEqual(faults.map(({ pointer }) => pointer));
      for (const error of errors.slice(1)) expect(withoutPause(error)).toEqual(withoutPause(errors[0]!));
    },
  );
});
