import { startSandboxMdm, type DialectName, type Recording, type SandboxMdm } from '../mdm/index.ts';
import { freePort } from '../network/free-port.ts';
import { startSecretsManager } from '../aws/secrets-manager.ts';
import { postTo, type Post } from './api.ts';
import type { ScriptError } from '#scripts/build/script-error.ts';
import { buildLocalBundles } from '#scripts/build/bundles.ts';
import { logOf } from './child.ts';
import { MATCH_FIELDS } from './city.ts';
import type { Lifetime } from './lifetime.ts';
import { OFFLINE, startOffline, type Inspected } from './offline.ts';
import { checkPorts, type Ports } from './ports.ts';
import { startRedis } from './redis.ts';
import { GROUP, SECRET_PREFIX } from './names.ts';

const SHARDS = 2;
/** Functions that the start, its demo and the console call. */
const CALLED_FIRST = [
  'api-openapi',
  'mdm-source-enqueue',
  'stream-consumer',
  'stream-status',
  'stream-xlen',
  'stream-xadd',
];

export interface Stack {
  readonly post: Post;
  readonly lambdaPort: number;
  readonly mdm: SandboxMdm;
  /** The ingest stream's shards. */
  readonly shards: readonly string[];
}

/** The parts of the stack that its front shows and controls. */
export interface FrontParts {
  readonly post: Post;
  readonly lambdaPort: number;
  readonly mdm: SandboxMdm;
  /** The ingest stream, its shards, and the group that consumes them. */
  readonly stream: string;
  readonly shards: readonly string[];
  readonly group: string;
  /** File that the functions log to. */
  readonly logPath: string;
}

/** Opens the HTTP port: its own pages, and the HTTP API behind it. */
export type StartFront = (port: number, apiPort: number, parts: FrontParts) => Promise<{ close(): Promise<void> }>;

export interface StackOptions {
  readonly ports: Ports;
  /** How the sandbox MDM responds. Default: as `SANDBOX_DIALECT` says. */
  readonly dialect?: DialectName;
  /** A recorded tenant, whose answers the sandbox MDM gives in place of a dialect. */
  readonly recording?: Recording | undefined;
  /** Opens a port for a debugger. */
  readonly inspected?: Inspected | undefined;
}

/**
 * Starts the functions, and everything that they need. Those that are called first are bundled meanwhile, and the
 * others when they are called.
 */
export async function startStack(
  { ports, dialect, recording, inspected }: StackOptions,
  lifetime: Lifetime,
  startFront: StartFront,
): Promise<Stack> {
  await checkPorts({ ...ports, inspect: inspected?.port });
  const bundling = buildLocalBundles([...CALLED_FIRST, ...(inspected ? [inspected.name] : [])]).catch(
    (error: ScriptError) => lifetime.end(error),
  );
  const redis = await startRedis(ports.lambda, lifetime);
  const mdm = await startSandboxMdm({
    matchRules: { 'c360.city': MATCH_FIELDS },
    dialect: recording ? undefined : dialect,
    recording,
  });
  lifetime.onClose(() => mdm.close());
  const ingest = { stream: redis.stream, shards: SHARDS };
  const secrets = await startSecretsManager({
    [`${SECRET_PREFIX}default`]: { mdm: mdm.secret, redis: { url: redis.url }, ingest },
  });
  lifetime.onClose(() => secrets.close());
  const api = await freePort();
  await startOffline({ ports: { ...ports, http: api }, secretsUrl: secrets.url, inspected }, lifetime);
  await bundling;
  const shards = Array.from({ length: SHARDS }, (_, shard) => `${redis.stream}:${shard}`);
  const post = postTo(ports.http);
  const logPath = logOf(OFFLINE, ports.lambda);
  const front = await startFront(ports.http, api, {
    post,
    lambdaPort: ports.lambda,
    mdm,
    shards,
    stream: redis.stream,
    group: GROUP,
    logPath,
  });
  lifetime.onClose(() => front.close());

  console.log(`Redis           ${redis.description}`);
  console.log(`Sandbox MDM     ${mdm.url}`);
  console.log(`Secrets Manager ${secrets.url}`);
  console.log(`HTTP API        http://localhost:${ports.http}`);
  console.log(`Lambda endpoint http://localhost:${ports.lambda}`);
  console.log(`Log             ${logPath}`);
  if (inspected) console.log(`Debugger        127.0.0.1:${inspected.port}, for ${inspected.name}`);
  return { post, lambdaPort: ports.lambda, mdm, shards };
}
