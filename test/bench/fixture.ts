import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleFunction } from '#scripts/build/bundle.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { runChild } from './child.ts';
import { startMdmServer, type MdmServer } from './mdm-server.ts';
import { bundleOf, unpackFunctions } from './packages.ts';

/** Fixture of the figures: the packaged functions, a redis-server, and the services that they talk to. */
export interface Bench {
  /** How many values make a median. */
  readonly rounds: number;
  /** Whether --quick was given: fewer rounds, nothing is written. */
  readonly isQuick: boolean;
  readonly redis: RedisServer;
  readonly mdm: MdmServer;
  /** Builds and packages the functions, once; `bundleOf` does, too. */
  readonly build: () => void;
  /** The bundle of a packaged function, as it is in its zip. */
  readonly bundleOf: (name: string) => string;
  /** The handler by hand, bundled and minified. */
  readonly byHand: string;
  /** The consumer's engine with targets of its own (engine.ts), built as the functions are. */
  readonly engine: string;
  /** Runs a file of processes/ with the environment of a function. */
  readonly run: <T>(file: string, input: object) => Promise<T>;
  /**
   * Loads a handler in a process of its own and invokes it with these events, one after the other, each in its time.
   */
  readonly invoke: (handler: string, events: unknown[], options?: InvokeOptions) => Promise<Invoked>;
  readonly close: () => Promise<void>;
}

interface InvokeOptions {
  /** Time of each invocation. Default two minutes. */
  readonly remainingMs?: number;
  /** Share of a core that the process has for the last event. Default 1. */
  readonly share?: number;
}

export interface Invoked {
  readonly loadMs: number;
  readonly calls: readonly { readonly ms: number; readonly response: unknown }[];
}

const SECRET_PREFIX = 'bench/';

export async function startFixture(counts: Pick<Bench, 'rounds' | 'isQuick'>): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  const byHand = await bundlePlainly('test/bench/baselines/handler.ts', join(directory, 'by-hand.cjs'));
  await bundleFunction('test/bench/engine.ts', join(directory, 'engine'));
  const [redis, mdm] = await Promise.all([startRedisServer(), startMdmServer()]);
  const auth = { type: 'login-v3', loginUrl: mdm.url, username: 'bench', password: 'bench' };
  const secret = { redis: { url: redis.url }, mdm: { auth, baseUrl: mdm.url } };
  const secrets = await startSecretsManager({ [`${SECRET_PREFIX}default`]: secret });
  const env = {
    BENCH_REDIS_URL: redis.url, // for the baselines that know no secret
    BENCH_MDM_URL: mdm.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    AWS_ENDPOINT_URL_LAMBDA: mdm.url, // a Lambda that returns a record, and takes as long as the MDM
    CONNECTOR_SECRET_PREFIX: SECRET_PREFIX,
  };
  let isBuilt = false;
  const build = () => {
    if (!isBuilt) unpackFunctions(directory);
    isBuilt = true;
    return directory;
  };
  return {
    ...counts,
    redis,
    mdm,
    build,
    bundleOf: (name) => bundleOf(build(), name),
    byHand,
    engine: join(directory, 'engine', 'index.cjs'),
    run: (file, input) => runChild(file, input, env),
    invoke: (handler, events, { remainingMs = 120_000, share } = {}) =>
      runChild('invoke.cjs', { handler, events, remainingMs, isLimited: share !== undefined }, env, share),
    async close() {
      mdm.close();
      await Promise.all([redis.stop(), secrets.close(), rm(directory, { recursive: true })]);
    },
  };
}

/** Bundled the usual way; the alias leaves out modules for other Redis products, in the baseline's favour. */
async function bundlePlainly(source: string, outfile: string): Promise<string> {
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    alias: { redis: '@redis/client' },
    logLevel: 'error',
  });
  return outfile;
}
