import { getEventListeners } from 'node:events';
import type { LambdaServiceException } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as source from '../../../../lib/consumer/targets/lambda-sdk.ts';
import { startLambdaEndpoint, type LambdaEndpoint } from '../../../../sandbox/aws/lambda-endpoint.ts';
import { asItShips } from '../../../support/aws/as-it-ships.ts';

/*
 * The build edits the AWS SDK (scripts/build/direct-aws-sdk.ts and its neighbours), so a call is tried on what ships, too.
 */

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-central-1' };
const ways: Record<string, typeof source> = { 'from its sources': source };
let shipped: Awaited<ReturnType<typeof asItShips<typeof source>>>;
let endpoint: LambdaEndpoint;

beforeAll(async () => {
  [shipped, endpoint] = await Promise.all([
    asItShips<typeof source>('lib/consumer/targets/lambda-sdk.ts'),
    startLambdaEndpoint(),
  ]);
  ways['as it ships'] = shipped.module;
});
beforeEach(() => {
  Object.assign(process.env, CREDENTIALS, { AWS_ENDPOINT_URL_LAMBDA: endpoint.url });
  endpoint.requests.length = 0;
  endpoint.respond = () => ({});
});
afterAll(async () => {
  await Promise.all([endpoint.close(), shipped.remove()]);
});

const invokerOf = (way: string) => ways[way]!.lambdaInvoker({ maxAttempts: 1 });
const input = { FunctionName: 'orders', Payload: '{"n":1}' };

/** What a call is rejected with: a refusal of Lambda, or another error, which has less. */
const errorOf = async (called: Promise<unknown>) => (await called.catch((error: unknown) => error)) as LambdaServiceException; // prettier-ignore

describe.each(['from its sources', 'as it ships'])('a call of a function %s', (way) => {
  it('that Lambda refuses rejects with the name, the status and the headers of the refusal', async () => {
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

  it('that nothing answers rejects with what Node says', async () => {
    process.env.AWS_ENDPOINT_URL_LAMBDA = 'http://127.0.0.1:1';

    const { message, $metadata } = await errorOf(invokerOf(way)(input, new AbortController().signal));

    expect(message).toMatch(/ECONNREFUSED/);
    expect($metadata).toMatchObject({ attempts: 1 });
  });

  it('is tried again as often as it may be', async () => {
    const statuses = [500, 500, 200];
    endpoint.respond = () => ({ status: statuses.shift()! });
    const invoke = ways[way]!.lambdaInvoker({ maxAttempts: 3 });

    const { $metadata } = await invoke(input, new AbortController().signal);

    expect($metadata).toMatchObject({ httpStatusCode: 200, attempts: 3 });
  });

  it('is given up when its signal says so, and other calls go on', async () => {
    endpoint.respond = () => ({ tookMs: 300 });
    const invoke = invokerOf(way);
    const [mine, other] = [new AbortController(), new AbortController()];
    const calls = [invoke(input, mine.signal), invoke(input, mine.signal), invoke(input, other.signal)];
    setTimeout(() => mine.abort(), 100);

    const [first, second, third] = await Promise.allSettled(calls);

    expect([first, second]).toMatchObject(Array(2).fill({ status: 'rejected', reason: { name: 'AbortError' } }));
    expect(third).toMatchObject({ status: 'fulfilled' });
  });

  it('is not made where its signal has come before', async () => {
    const { name } = await errorOf(invokerOf(way)(input, AbortSignal.abort()));

    expect([name, endpoint.requests.length]).toEqual(['AbortError', 0]);
  });

  it('leaves its signal with one listener, of all calls', async () => {
    const { signal } = new AbortController();
    const invoke = invokerOf(way);

    await Promise.all(Array.from({ length: 100 }, () => invoke(input, signal)));

    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  });
});

describe('what the AWS SDK says of itself', () => {
  it('is in each call what it is without the changes to it', async () => {
    const seen: string[] = [];
    for (const way of Object.keys(ways)) {
      const [invoke, { signal }] = [invokerOf(way), new AbortController()];
      for (let call = 0; call < 2; call++) await invoke(input, signal);
      seen.push(...endpoint.requests.splice(0).map(({ request }) => request.headers['user-agent']!));
    }

    const withoutVersion = seen.map((text) => text.replaceAll(/3\.\d+\.\d+/g, '3')); // the SDK's two builds differ in it
    expect(withoutVersion[0]).toMatch(/^aws-sdk-js\/3 ua\/2\.1 os\/.* lang\/js .* api\/lambda#3 m\/E,g$/);
    expect(withoutVersion).toEqual(Array(4).fill(withoutVersion[0]));
  });
});

describe('the credentials of a function', () => {
  it('are read until they are there, and then kept', async () => {
    const { signal } = new AbortController();
    const invoke = invokerOf('as it ships');
    delete process.env.AWS_SECRET_ACCESS_KEY;
    const { name } = await errorOf(invoke(input, signal));
    process.env.AWS_SECRET_ACCESS_KEY = CREDENTIALS.AWS_SECRET_ACCESS_KEY;
    await invoke(input, signal);
    process.env.AWS_ACCESS_KEY_ID = 'ANOTHER';
    await invoke(input, signal);

    expect(name).toBe('CredentialsProviderError');
    const credentials = endpoint.requests.map(({ request }) => /Credential=(\w+)\//.exec(request.headers.authorization!)![1]); // prettier-ignore
    expect(credentials).toEqual(['AKIDEXAMPLE', 'AKIDEXAMPLE']);
  });
});
