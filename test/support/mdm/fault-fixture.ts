import { expect } from '@jest/globals';
import { callStream, type Outcome } from '../stream/call-stream.ts';
import { type InvokeOptions, type Lambda } from '#sandbox/aws/lambda.ts';
import { startRedisServer, type RedisServer, type RedisServerOptions } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager, type SecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startTcpProxy, type TcpProxy } from '../redis/tcp-proxy.ts';
import { startContainer } from '../aws/container.ts';

/** The default `commandTimeoutMs` of the configurations. */
const COMMAND_TIMEOUT_MS = 500;
/** No call may take longer than this. */
const BOUND_MS = COMMAND_TIMEOUT_MS + 3000;

/** One container, with separate servers, proxies and configuration for each test. */
export interface FaultFixture {
  readonly lambda: Lambda;
  readonly secrets: SecretsManager;
  redisServer(options?: RedisServerOptions): Promise<RedisServer>;
  proxyTo(server: RedisServer): Promise<TcpProxy>;
  /** Puts the URL into the secret of this test's calls. */
  use(url: string, commandTimeoutMs?: number): void;
  /** Calls an operation over HTTP, by default an XADD; throws when the response takes too long. */
  call(operation?: string, parameters?: object, options?: InvokeOptions): Promise<Outcome>;
  /** Ends what a test started, and gives the next one a new configuration. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/** @param options.secretTtlMs how long the container keeps a secret; default as deployed */
export async function startFaultFixture(options: { secretTtlMs?: number } = {}): Promise<FaultFixture> {
  const secrets = await startSecretsManager();
  const lambda = await startContainer(secrets, { CONNECTOR_SECRET_TTL_MS: String(options.secretTtlMs ?? 300_000) });
  const stops: (() => Promise<void>)[] = [];
  let test = 1;
  // what a test times is no cold start
  for (const operation of ['xadd', 'xread']) await callStream(lambda, 'HTTP', operation, {});

  return {
    lambda,
    secrets,
    async redisServer(options) {
      const server = await startRedisServer(options);
      stops.push(() => server.stop());
      return server;
    },
    async proxyTo(server) {
      const proxy = await startTcpProxy(server.port);
      stops.push(() => proxy.close());
      return proxy;
    },
    use: (url, commandTimeoutMs = COMMAND_TIMEOUT_MS) =>
      secrets.set(`test/c${test}`, { redis: { url, commandTimeoutMs } }),
    async call(operation = 'xadd', parameters = { entry: { a: '1' } }, options = {}) {
      const startedAt = performance.now();
      const outcome = await callStream(
        lambda,
        'HTTP',
        operation,
        { configRef: `c${test}`, key: 's', ...parameters },
        options,
      );
      const took = performance.now() - startedAt;
      if (took > BOUND_MS + (options.timeoutMs ?? 0)) throw new Error(`The call took ${Math.round(took)} ms`);
      return outcome;
    },
    async clear() {
      test++;
      await Promise.all(stops.splice(0).map((stop) => stop()));
    },
    async stop() {
      await Promise.all([lambda.stop(), secrets.close()]);
    },
  };
}

/** A failed call, for `toEqual`. */
export const failed = (status: number, message: RegExp = /./) => ({
  status,
  error: { type: 'STREAM:COMMAND', message: expect.stringMatching(message) as unknown },
});
