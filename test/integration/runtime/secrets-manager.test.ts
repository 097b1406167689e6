import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startSandboxMdm, type SandboxMdm } from '../../../sandbox/mdm/index.ts';
import { startLambda, type Lambda } from '../../../sandbox/aws/lambda.ts';
import { startSecretsManager, type SecretsManager } from '../../../sandbox/aws/secrets-manager.ts';
import { startSilentPort } from '../../support/redis/silent-port.ts';
import { startTcpProxy, type TcpProxy } from '../../support/redis/tcp-proxy.ts';

let secrets: SecretsManager;
let network: TcpProxy;
let mdm: SandboxMdm;
const lambdas: Lambda[] = [];
beforeAll(async () => {
  secrets = await startSecretsManager();
  network = await startTcpProxy(Number(new URL(secrets.url).port));
  mdm = await startSandboxMdm();
  for (const name of ['one', 'two']) secrets.set(`test/${name}`, { mdm: mdm.secret });
});
afterEach(async () => {
  network.pass();
  secrets.failWith(undefined);
  await Promise.all(lambdas.splice(0).map((lambda) => lambda.stop()));
});
afterAll(() => Promise.all([network.close(), secrets.close(), mdm.close()]));

/** A container that reads its secrets over the network of this test, and keeps them for so long. */
async function container({ url = `http://127.0.0.1:${network.port}`, ttlMs = 300_000 } = {}): Promise<Lambda> {
  const env = {
    CONNECTOR_SECRET_PREFIX: 'test/',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
    CONNECTOR_SECRET_TTL_MS: String(ttlMs),
  };
  const lambda = await startLambda({ env });
  lambdas.push(lambda);
  return lambda;
}

async function read(lambda: Lambda, configRef: string, timeoutMs: number) {
  const startedAt = performance.now();
  const input = { configRef, resource: 'RELATIONSHIP' };
  const response = await lambda.post('/mdm/metadata-read', input, { timeoutMs });
  return { status: response.status, problem: response.json as unknown, tookMs: performance.now() - startedAt };
}

const UNREADABLE = { type: 'CONNECTOR:CONFIGURATION', status: 500, retryable: true };

describe('a Secrets Manager that accepts and never responds', () => {
  it.each([
    ['a call with little time', 3_000, 2_400],
    ['a call with much time', 29_000, 5_500],
  ])('ends %s by an error that may be tried again', async (_, timeoutMs, boundMs) => {
    const lambda = await container();
    network.stall();

    const { problem, tookMs } = await read(lambda, 'one', timeoutMs);

    expect(problem).toMatchObject(UNREADABLE);
    expect(tookMs).toBeLessThan(boundMs + 300); // of loading the function
  });

  it('keeps no call from the configuration that was read last', async () => {
    const lambda = await container({ ttlMs: 0 });
    expect(await read(lambda, 'one', 29_000)).toMatchObject({ status: 200 });
    network.stall();

    const { status, tookMs } = await read(lambda, 'one', 3_000);

    expect(status).toBe(200);
    expect(tookMs).toBeLessThan(2_400);
  });

  it('is read at once when it responds again: what failed is not kept', async () => {
    const lambda = await container();
    network.stall();
    await read(lambda, 'one', 29_000);
    network.cut();
    network.pass();

    expect(await read(lambda, 'one', 29_000)).toMatchObject({ status: 200 });
  });

  it('holds no call of another configuration', async () => {
    const lambda = await container();
    await read(lambda, 'two', 29_000);
    network.stall();
    const hanging = read(lambda, 'one', 3_000);

    expect(await read(lambda, 'two', 3_000)).toMatchObject({ status: 200 });
    await hanging;
  });
});

it('a Secrets Manager to which nobody can connect ends a call by an error that may be tried again', async () => {
  const silent = await startSilentPort();
  const lambda = await container({ url: silent.url });

  const { problem, tookMs } = await read(lambda, 'one', 29_000);
  silent.close();

  expect(problem).toMatchObject(UNREADABLE);
  expect(tookMs).toBeLessThan(3_500);
});

it.each(['ThrottlingException', 'InternalServiceError'])('%s on a cold start may be tried again', async (errorType) => {
  const lambda = await container();
  secrets.failWith(errorType);

  expect((await read(lambda, 'one', 29_000)).problem).toMatchObject(UNREADABLE);
});

it('a secret that the function may not read is no error to try again', async () => {
  const lambda = await container();
  secrets.failWith('AccessDeniedException');

  expect((await read(lambda, 'one', 29_000)).problem).toMatchObject({ ...UNREADABLE, retryable: false });
});
