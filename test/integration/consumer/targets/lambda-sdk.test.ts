import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LambdaServiceException } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as source from '#lib/consumer/targets/lambda-sdk.ts';
import { startLambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { asItShips } from '#test/support/aws/as-it-ships.ts';
import { use } from '#test/support/jest/use.ts';

/*
 * The build leaves modules of the AWS SDK out (scripts/build/left-out.ts), so calls are also tried on what ships.
 */

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-central-1' };
const ways: Record<string, typeof source> = { 'from its sources': source };

const shipped = await use(asItShips<typeof source>('lib/consumer/targets/lambda-sdk.ts'));
const endpoint = await use(startLambdaEndpoint());
ways['as it ships'] = shipped.module;
beforeEach(() => {
  Object.assign(process.env, CREDENTIALS, { AWS_ENDPOINT_URL_LAMBDA: endpoint.url });
  endpoint.requests.length = 0;
  endpoint.respond = () => ({});
});

const invokerOf = (way: string, maxAttempts = 1) => ways[way]!.lambdaInvoker({ maxAttempts, connectMs: 5000 });
const input = { FunctionName: 'orders', Payload: '{"n":1}' };

/** What a call is rejected with: a refusal of Lambda, or another error, which has less. */
const errorOf = async (called: Promise<unknown>) =>
  (await called.catch((error: unknown) => error)) as LambdaServiceException;

describe.each(['from its sources', 'as it ships'])('a Lambda call %s', (way) => {
  it("a call that Lambda refuses rejects with the refusal's name, status and headers", async () => {
    endpoint.respond = () => ({
      status: 429,
      error: 'TooManyRequestsException',
      headers: { 'retry-after': '7' },
    });

    const { name, $metadata, $response } = await errorOf(invokerOf(way)(input, new AbortController().signal));

    expect(name).toBe('TooManyRequestsException');
    expect($metadata).toMatchObject({ httpStatusCode: 429, attempts: 1 });
    expect($response!.headers).toMatchObject({ 'retry-after': '7' });
  });

  it("a Lambda call that cannot connect rejects with Node's error", async () => {
    process.env.AWS_ENDPOINT_URL_LAMBDA = 'http://127.0.0.1:1';

    const { message, $metadata } = await errorOf(invokerOf(way)(input, new AbortController().signal));

    expect(message).toMatch(/ECONNREFUSED/);
    expect($metadata).toMatchObject({ attempts: 1 });
  });

  it('a Lambda call is retried up to maxAttempts', async () => {
    const statuses = [500, 500, 200];
    endpoint.respond = () => ({ status: statuses.shift()! });
    const invoke = invokerOf(way, 3);

    const { $metadata } = await invoke(input, new AbortController().signal);

    expect($metadata).toMatchObject({ httpStatusCode: 200, attempts: 3 });
  });

  it('an aborted Lambda call ends immediately, and other calls continue', async () => {
    endpoint.respond = () => ({ tookMs: 300 });
    const invoke = invokerOf(way);
    const [mine, other] = [new AbortController(), new AbortController()];
    const calls = [invoke(input, mine.signal), invoke(input, mine.signal), invoke(input, other.signal)];
    setTimeout(() => mine.abort(), 100);

    const [first, second, third] = await Promise.allSettled(calls);

    expect([first, second]).toMatchObject(Array(2).fill({ status: 'rejected', reason: { name: 'AbortError' } }));
    expect(third).toMatchObject({ status: 'fulfilled' });
  });

  it('a Lambda call is not made if its signal is already aborted', async () => {
    const { name } = await errorOf(invokerOf(way)(input, AbortSignal.abort()));

    expect([name, endpoint.requests.length]).toEqual(['AbortError', 0]);
  });

  it('a Lambda call uses no connection that was idle for 30 s, even if the container was frozen', async () => {
    const { signal } = new AbortController();
    const invoke = invokerOf(way);
    const connections = () => new Set(endpoint.requests.map(({ request }) => request.socket)).size;
    await invoke(input, signal);
    await invoke(input, signal);
    expect(connections()).toBe(1);
    const realNow = Date.now;
    Date.now = () => realNow() + 31_000; // a frozen container's timers stand still

    await invoke(input, signal).finally(() => (Date.now = realNow));

    expect(connections()).toBe(2);
  });

  it('a Lambda call leaves no listeners on its signal', async () => {
    const { signal } = new AbortController();
    const invoke = invokerOf(way);

    await Promise.all(Array.from({ length: 100 }, () => invoke(input, signal)));

    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each(['FIPS', 'DualStack'])('a Lambda call uses the %s endpoint if the environment asks for it', async (kind) => {
    const name = `AWS_USE_${kind.toUpperCase()}_ENDPOINT`;
    process.env[name] = 'true';
    const invoke = invokerOf(way);
    process.env[name] = 'false';

    const { message } = await errorOf(invoke(input, new AbortController().signal));

    expect(message).toMatch(new RegExp(`${kind} and custom endpoint are not supported`, 'i')); // and this is one
  });

  it('a Lambda call sends the application id of the environment', async () => {
    process.env.AWS_SDK_UA_APP_ID = 'orders';
    const invoke = invokerOf(way);
    delete process.env.AWS_SDK_UA_APP_ID;

    await invoke(input, new AbortController().signal);

    expect(endpoint.requests[0]!.request.headers['user-agent']).toMatch(/^aws-sdk-js\/3.* app\/orders/);
  });

  it('a Lambda call reads no AWS profile', async () => {
    const { signal } = new AbortController();
    const home = mkdtempSync(join(tmpdir(), 'home-'));
    const profile = join(home, 'config');
    writeFileSync(profile, '[default]\nregion = nowhere-1\nmax_attempts = 1\nsdk_ua_app_id = profile\n');
    Object.assign(process.env, { AWS_CONFIG_FILE: profile });
    try {
      endpoint.respond = () => ({ status: 500 });
      const { $metadata } = await errorOf(invokerOf(way, 2)(input, signal));
      const { request } = endpoint.requests[0]!;

      expect($metadata).toMatchObject({ attempts: 2 });
      expect(request.headers.authorization).toContain('/eu-central-1/lambda/');
      expect(request.headers['user-agent']).not.toContain('profile');
    } finally {
      delete process.env.AWS_CONFIG_FILE;
      rmSync(home, { recursive: true });
    }
  });
});

describe.each(['from its sources', 'as it ships'])('the credentials of a Lambda call %s', (way) => {
  const keyIds = () =>
    endpoint.requests.map(({ request }) => /Credential=(\w+)\//.exec(request.headers.authorization!)![1]);
  const { signal } = new AbortController();
  afterEach(() => {
    delete process.env.AWS_CREDENTIAL_EXPIRATION;
  });

  it('the credentials of a Lambda call are read until they exist, and then kept', async () => {
    const invoke = invokerOf(way);
    delete process.env.AWS_SECRET_ACCESS_KEY;
    const error = await errorOf(invoke(input, signal));
    process.env.AWS_SECRET_ACCESS_KEY = CREDENTIALS.AWS_SECRET_ACCESS_KEY;
    await invoke(input, signal);
    process.env.AWS_ACCESS_KEY_ID = 'ANOTHER';
    await invoke(input, signal);

    expect(error.name).toBe('CredentialsProviderError');
    expect(keyIds()).toEqual(['AKIDEXAMPLE', 'AKIDEXAMPLE']);
  });

  it.each([
    ['read again once their end is near', 60_000, 'ANOTHER'],
    ['kept while their end is far', 3_600_000, 'AKIDEXAMPLE'],
  ])('the credentials of a Lambda call are %s', async (_, leftMs, second) => {
    process.env.AWS_CREDENTIAL_EXPIRATION = new Date(Date.now() + leftMs).toISOString();
    const invoke = invokerOf(way);
    await invoke(input, signal);
    process.env.AWS_ACCESS_KEY_ID = 'ANOTHER';
    await invoke(input, signal);

    expect(keyIds()).toEqual(['AKIDEXAMPLE', second]);
  });
});
