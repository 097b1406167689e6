import { randomUUID } from 'node:crypto';
import { createClient } from 'redis';
import { callStream, type Outcome, type Way } from './call-stream.ts';
import { type InvokeOptions, type Lambda } from '#sandbox/aws/lambda.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager, type SecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startContainer } from '../aws/container.ts';

/** The packaged functions on a Redis of their own. */
export interface Fixture {
  readonly lambda: Lambda;
  readonly secrets: SecretsManager;
  /** Of its Redis. */
  readonly url: string;
  /** Runs a command as redis-cli would, with the replies as they are. */
  redis(...args: (string | Buffer)[]): Promise<unknown>;
  /** A new key. */
  key(name?: string): string;
  call(way: Way, operation: string, parameters: object, options?: InvokeOptions): Promise<Outcome>;
  stop(): Promise<void>;
}

export interface FixtureOptions {
  /** Further connector configurations, by configRef, made from the URL of Redis. */
  secrets?: (url: string) => Record<string, unknown>;
}

/**
 * Sets up a fixture.
 *
 * @example
 * const fixture = await startFixture();
 * const outcome = await fixture.call('HTTP', 'xadd', { key: fixture.key(), entry: { a: '1' } });
 */
export async function startFixture({ secrets }: FixtureOptions = {}): Promise<Fixture> {
  const server = await startRedisServer();
  const { url } = server;
  const client = createClient({ url, RESP: 2 });
  await client.connect();
  const configurations = { default: { redis: { url } }, ...secrets?.(url) };
  const manager = await startSecretsManager(
    Object.fromEntries(Object.entries(configurations).map(([configRef, secret]) => [`test/${configRef}`, secret])),
  );
  const lambda = await startContainer(manager);

  return {
    lambda,
    secrets: manager,
    url,
    redis: (...args) => client.sendCommand(args),
    key: (name = '') => `mdm-stream-test:${randomUUID()}:${name}`,
    call: (way, operation, parameters, options) => callStream(lambda, way, operation, parameters, options),
    async stop() {
      client.destroy();
      await Promise.all([lambda.stop(), manager.close(), server.stop()]);
    },
  };
}
