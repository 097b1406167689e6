import { afterEach, describe, expect, it } from '@jest/globals';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { classify } from '#lib/consumer/targets/failure.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { FIN, RST, startRawServer, type RawServer, type Step } from '#test/support/mdm/raw-server.ts';
import { readSecretsAt } from '#test/support/aws/secrets-environment.ts';
import { problemOf, type Problem } from '#test/support/aws/source-handler.ts';
import { until } from '#test/support/until.ts';
import { use } from '#test/support/jest/use.ts';
import { startContainer } from '#test/support/aws/container.ts';

/** Of a configuration whose calls end by it, and of any other. */
const TIMEOUT_MS = { short: 500, long: 20_000 };
const INVOCATION_MS = 29_000;
const KEY = { businessEntity: 'c360.city', sourceSystem: 'crm', sourcePKey: 'key-4711' };

let proxy: RawServer | undefined;
const secrets = await use(startSecretsManager());
readSecretsAt(secrets.url);
const lambda = await use(startContainer(secrets, { LOG_LEVEL: 'debug' }));
afterEach(() => proxy?.close());

let configurations = 0;

/** A configuration whose calls go through a proxy that takes these steps. */
async function behind(
  steps: readonly Step[],
  { baseUrl = 'https://mdm.example.com', timeoutMs = TIMEOUT_MS.long } = {},
): Promise<string> {
  proxy = await startRawServer(steps);
  const configRef = `proxy-${++configurations}`;
  secrets.set(`test/${configRef}`, {
    mdm: {
      auth: { type: 'session', sessionId: 'session-1' },
      baseUrl,
      proxy: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
      timeoutMs,
    },
  });
  return configRef;
}

const WAYS: [way: string, call: (configRef: string) => Promise<Problem>][] = [
  ['from the sources', (configRef) => problemOf(masterRead, { configRef, ...KEY }, { timeoutMs: INVOCATION_MS })],
  [
    'as packaged',
    async (configRef) =>
      (await lambda.post('/mdm/master-read', { configRef, ...KEY }, { timeoutMs: INVOCATION_MS })).json as Problem,
  ],
];

describe.each(WAYS)('a proxy, %s,', (_, call) => {
  it.each([
    ['407 Proxy Authentication Required', 'PROXY_407'],
    ['403 Forbidden', 'PROXY_403'],
    ['502 Bad Gateway', 'PROXY_502'],
    ['503 Service Unavailable', 'PROXY_503'],
    ['204 No Content', 'PROXY_204'],
  ])('a proxy that refuses a tunnel with %s is unreachable, and its connection is closed', async (status, code) => {
    const configRef = await behind([`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`]);

    const problem = await call(configRef);

    expect(problem).toMatchObject({ type: 'MDM:CONNECTIVITY', status: 503, retryable: true, upstreamCode: code });
    expect(JSON.stringify(problem)).not.toMatch(/p@ss|p%40ss/);
    expect(proxy!.received).toHaveLength(3);
    await until(() => Promise.resolve(proxy!.open === 0));
  });

  it.each<[string, Step[]]>([
    ['says nothing', []],
    ['says half of it', ['HTTP/1.1 200 Connec']],
    [
      'says something all the time',
      ['HTTP/1.1 200 OK\r\n', ...Array.from({ length: 400 }, () => ['x: y\r\n', 50]).flat()],
    ],
    ['says yes, and then nothing', ['HTTP/1.1 200 OK\r\n\r\n']],
  ])('a proxy that %s times out after timeoutMs', async (_, steps) => {
    const configRef = await behind(steps, { timeoutMs: TIMEOUT_MS.short });
    const startedAt = performance.now();

    const problem = await call(configRef);

    expect(problem).toMatchObject({ type: 'MDM:TIMEOUT', status: 504, retryable: true });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    await until(() => Promise.resolve(proxy!.open === 0));
  });

  it.each<[string, Step[]]>([
    ['ends the connection', [FIN]],
    ['resets it', [RST]],
    ['speaks another protocol', ['SSH-2.0-OpenSSH_9.6\r\n']],
    ['opens a tunnel to something else', ['HTTP/1.1 200 OK\r\n\r\n', 20, 'HTTP/1.1 400 Bad Request\r\n\r\n', FIN]],
  ])('a proxy that %s is unreachable', async (_, steps) => {
    const problem = await call(await behind(steps));

    expect(problem).toMatchObject({ type: 'MDM:CONNECTIVITY', status: 503, retryable: true });
  });

  it('a proxy is asked for an IPv6 address in brackets, with the credentials', async () => {
    const configRef = await behind(['HTTP/1.1 503 Busy\r\n\r\n'], { baseUrl: 'https://[::1]:8443' });

    await call(configRef);

    expect(proxy!.received[0]).toMatch(/^CONNECT \[::1\]:8443 HTTP\/1\.1\r\n/);
    expect(proxy!.received[0]).toMatch(/\r\nhost: \[::1\]:8443\r\n/i);
    expect(proxy!.received[0]).toContain(`roxy-authorization: Basic ${btoa('user:p@ss')}\r\n`);
  });
});

it("a proxy's refusal is retried even for a submit without a key, since nothing was sent", async () => {
  const configRef = await behind(['HTTP/1.1 503 Busy\r\n\r\n']);
  const { sourcePKey: _, ...unkeyed } = KEY;

  const problem = await problemOf(
    sourceSubmit,
    { configRef, ...unkeyed, record: { name: 'Bonn' } },
    { timeoutMs: 5000 },
  );

  expect(problem).toMatchObject({ type: 'MDM:CONNECTIVITY', retryable: true });
  expect(proxy!.received).toHaveLength(3);
});

it("a proxy's refusal logs neither path nor key of the record, and is an outage to the consumer", async () => {
  const configRef = await behind(['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n']);
  const { sourcePKey, ...rest } = KEY;
  lambda.log.splice(0);

  const failure = await lambda
    .invoke<unknown>('mdm-master-read', { configRef, ...rest, sourcePKey }, { timeoutMs: INVOCATION_MS })
    .catch((error: { errorType: string }) => error);

  expect(failure).toMatchObject({ errorType: 'MDM:CONNECTIVITY' });
  expect(lambda.log.join('\n')).not.toMatch(/4711|p@ss|p%40ss|business-entity/);
  expect(classify(new ConnectorError('MDM:CONNECTIVITY', 'refused')).kind).toBe('outage');
});
