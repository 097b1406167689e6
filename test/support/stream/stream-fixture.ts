import { randomUUID } from 'node:crypto';
import { createClient } from 'redis';
import { callStream, type Outcome, type Way } from './call-stream.ts';
import { type InvokeOptions, type Lambda } from '#sandbox/aws/lambda.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager, type SecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startContainer } from '../aws/container.ts';

/** The packaged functions on a Redis: one that was started for the test, or the one of `REDIS_URL`. */
export interface Fixture {
  readonly lambda: Lambda;
  readonly secrets: SecretsManager;
  /** Of its Redis. */
  readonly url: string;
  /** Runs a command as redis-cli would, with the replies as they are. */
  redis(...args: (string | Buffer)[]): Promise<unknown>;
  /** A new key, removed at the end. */
  key(name?: string): string;
  call(way: Way, operation: string, parameters: object, options?: InvokeOptions): Promise<Outcome>;
  stop(): Promise<void>;
}

export interface FixtureOptions {
  /** Further connector configurations, by configRef, made from the URL of Redis. */
  secrets?: (url: string) => Record<string, unknown>;
  /** Never the Redis of `REDIS_URL`: what is shown must not depend on what is there. Default false. */
  ownRedis?: boolean;
}

/**
 * Sets up a fixture.
 *
 * @example
 * const fixture = await startFixture();
 * const outcome = await fixture.call('HTTP', 'xadd', { key: fixture.key(), entry: { a: '1' } });
 */
export async function startFixture({ secrets, ownRedis }: FixtureOptions = {}): Promise<Fixture> {
  const given = ownRedis ? undefined : process.env.REDIS_URL;
  const server = given === undefined ? await startRedisServer() : undefined;
  const url = given ?? server!.url;
  const client = createClient({ url, RESP: 2 });
  await client.connect();
  const configurations = { default: { redis: { url } }, ...secrets?.(url) };
  const manager = await startSecretsManager(
    Object.fromEntries(Object.entries(configurations).map(([configRef, secret]) => [`test/${configRef}`, secret])),
  );
  const lambda = await startContainer(manager);
  const keys: string[] = [];

  return {
    lambda,
    secrets: manager,
    url,
    redis: (...args) => client.sendCommand(args),
    key(name = '') {
      const key = `mdm-stream-test:${randomUUID()}:${name}`;
      keys.push(key);
      return key;
    },
    call: (way, operation, parameters, options) => callStream(lambda, way, operation, parameters, options),
    async stop() {
      if (keys.length > 0) await client.sendCommand(['DEL', ...keys]);
      client.destroy();
      await Promise.all([lambda.stop(), manager.close(), server?.stop()]);
    },
  };
}
