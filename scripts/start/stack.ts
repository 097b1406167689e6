import { startSandboxMdm, type SandboxMdm } from '../sandbox/mdm/index.ts';
import { startSecretsManager } from '../sandbox/secrets-manager.ts';
import { postTo, type Post } from './api.ts';
import { ensureBundles } from './bundles.ts';
import { logOf } from './child.ts';
import { MATCH_FIELDS } from './city.ts';
import type { Lifetime } from './lifetime.ts';
import { OFFLINE, startOffline } from './offline.ts';
import type { Ports } from './options.ts';
import { checkPorts } from './ports.ts';
import { startRedis } from './redis.ts';
import { SECRET_PREFIX } from './names.ts';

const SHARDS = 2;

export interface Stack {
  readonly post: Post;
  readonly lambdaPort: number;
  readonly mdm: SandboxMdm;
  /** The ingest stream's shards. */
  readonly shards: readonly string[];
}

/** Starts everything that the functions need, and the functions. */
export async function startStack(ports: Ports, lifetime: Lifetime): Promise<Stack> {
  await checkPorts(ports);
  ensureBundles();
  const redis = await startRedis(lifetime);
  const mdm = await startSandboxMdm({ matchRules: { 'c360.city': MATCH_FIELDS } });
  lifetime.onClose(() => mdm.close());
  const ingest = { stream: redis.stream, shards: SHARDS };
  const secrets = await startSecretsManager({
    [`${SECRET_PREFIX}default`]: { mdm: mdm.secret, redis: { url: redis.url }, ingest },
  });
  lifetime.onClose(() => secrets.close());
  await startOffline({ ports, secretsUrl: secrets.url }, lifetime);

  console.log(`Redis           ${redis.description}`);
  console.log(`Sandbox MDM     ${mdm.url}`);
  console.log(`Secrets Manager ${secrets.url}`);
  console.log(`HTTP API        http://localhost:${ports.http}`);
  console.log(`Lambda endpoint http://localhost:${ports.lambda}`);
  console.log(`Log             ${logOf(OFFLINE)}`);
  const shards = Array.from({ length: SHARDS }, (_, shard) => `${redis.stream}:${shard}`);
  return { post: postTo(ports.http), lambdaPort: ports.lambda, mdm, shards };
}
