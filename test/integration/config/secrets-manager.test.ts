import { afterEach, describe, expect, it } from '@jest/globals';
import { CAUSES } from '#lib/contract/causes.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import type { Lambda } from '#sandbox/aws/lambda.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startSilentPort } from '../../support/redis/silent-port.ts';
import { startTcpProxy } from '../../support/redis/tcp-proxy.ts';
import { startContainer } from '../../support/aws/container.ts';
import { use } from '../../support/jest/use.ts';

const secrets = await use(startSecretsManager());
const mdm = await use(startSandboxMdm());
for (const name of ['one', 'two']) secrets.set(`test/${name}`, { mdm: mdm.secret });
afterEach(() => secrets.failWith(undefined));

/** A container that has read its secret `two` over its own network. */
async function container({ ttlMs = 300_000 } = {}) {
  const network = await use(startTcpProxy(Number(new URL(secrets.url).port)));
  const env = { CONNECTOR_SECRET_TTL_MS: String(ttlMs) };
  const lambda = await use(startContainer({ url: `http://127.0.0.1:${network.port}` }, env));
  expect(await read(lambda, 'two', 29_000)).toMatchObject({ status: 200 });
  return { lambda, network };
}

async function read(lambda: Lambda, configRef: string, timeoutMs: number) {
  const startedAt = performance.now();
  const input = { configRef, resource: 'RELATIONSHIP' };
  const response = await lambda.post('/mdm/metadata-read', input, { timeoutMs });
  return { status: response.status, problem: response.json as unknown, tookMs: performance.now() - startedAt };
}

const UNREADABLE = { type: 'CONNECTOR:CONFIGURATION', status: 500, retryable: true };

it("a secret that AWS denies is logged with AWS's message and what to grant", async () => {
  const lambda = await use(startContainer(secrets));
  const denial = 'User: arn:aws:sts::1:assumed-role/r is not authorized to perform: secretsmanager:GetSecretValue';
  secrets.failWith('AccessDeniedException', denial);

  const { status } = await read(lambda, 'one', 29_000);

  const line = lambda.log.find((text) => text.includes('"message":"failed"'));
  expect(status).toBe(500);
  expect(JSON.parse(line!)).toMatchObject({
    detail: expect.stringContaining('AWS refused it (AccessDeniedException)'),
    hint: CAUSES['secret-denied'].hint,
    causes: [`AccessDeniedException: ${denial}`],
  });
});

it('a secret is read over a connection of its own, since the network may have forgotten the last one', async () => {
  const { lambda, network } = await container();

  expect(await read(lambda, 'one', 29_000)).toMatchObject({ status: 200 });
  expect(network.connections).toBe(2);
});

describe('a Secrets Manager that accepts and never responds', () => {
  it.concurrent('a call with little time ends with a retryable error if Secrets Manager does not respond', async () => {
    const { lambda, network } = await container();
    network.stall();

    const { problem, tookMs } = await read(lambda, 'one', 3_000);

    expect(problem).toMatchObject(UNREADABLE);
    expect(tookMs).toBeLessThan(20_000);
  });

  it.concurrent('a call with much time ends with a retryable error too, and then the secret is read', async () => {
    const { lambda, network } = await container();
    network.stall();

    const { problem, tookMs } = await read(lambda, 'one', 29_000);
    network.cut();
    network.pass();

    expect(problem).toMatchObject(UNREADABLE);
    expect(tookMs).toBeLessThan(25_000);
    expect(await read(lambda, 'one', 29_000)).toMatchObject({ status: 200 });
  });

  it.concurrent('a stalled Secrets Manager delays no call that uses the configuration read last', async () => {
    const { lambda, network } = await container({ ttlMs: 0 });
    network.stall();

    const { status, tookMs } = await read(lambda, 'two', 3_000);

    expect(status).toBe(200);
    expect(tookMs).toBeLessThan(20_000);
  });

  it.concurrent('a stalled read of one configuration does not block calls of another', async () => {
    const { lambda, network } = await container();
    network.stall();
    const hanging = read(lambda, 'one', 3_000);

    expect(await read(lambda, 'two', 3_000)).toMatchObject({ status: 200 });
    await hanging;
  });
});

it('an unreachable Secrets Manager ends a call with a retryable error', async () => {
  const lambda = await use(startContainer(await use(startSilentPort())));

  const { problem, tookMs } = await read(lambda, 'one', 29_000);

  expect(problem).toMatchObject(UNREADABLE);
  expect(tookMs).toBeLessThan(25_000);
});

it.each([
  ['ThrottlingException', true],
  ['InternalServiceError', true],
  ['AccessDeniedException', false],
])('a call that fails with %s is retryable: %s', async (errorType, retryable) => {
  const { lambda } = await container();
  secrets.failWith(errorType);

  expect((await read(lambda, 'one', 29_000)).problem).toMatchObject({ ...UNREADABLE, retryable });
});
