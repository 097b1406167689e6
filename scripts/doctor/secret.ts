import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { mdmCheck } from '#functions/mdm/check/contract.ts';
import { streamCheck } from '#functions/consumer/check/contract.ts';
import { checkStream } from '#lib/consumer/operator/check.ts';
import type { Check } from '#lib/contract/parameters/check.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { checkMdm } from '#lib/mdm/services/check.ts';
import type { Checks } from '#lib/runtime/checks.ts';
import type { ConnectorSecret } from '#lib/runtime/config.schema.ts';
import { Invocation } from '#lib/runtime/invocation.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { readSecret } from '../secret/read-secret.ts';
import type { Section } from './print.ts';

/** Time of each operation, as long as Lambda would give it. */
const TIMEOUT_MS = 29_000;
const CONFIG_REF = 'secret';
const PREFIX = 'doctor/';

/**
 * Checks a configuration as the functions would, from this machine: they read it from a Secrets Manager on loopback. The
 * session is kept in memory, so that nothing is written to Redis.
 */
export async function* examineSecret(path: string, businessEntity: string | undefined): AsyncGenerator<Section> {
  const secret = await readSecret(path);
  const parts = [secret.mdm ? 'mdm' : undefined, secret.redis ? 'redis' : undefined].filter(
    (part) => part !== undefined,
  );
  yield { title: path, checks: [fileCheck(parts)] };
  const secrets = await startSecretsManager({ [PREFIX + CONFIG_REF]: asUsed(secret) });
  readAt(secrets.url);
  try {
    if (secret.mdm) {
      const checks = await checkMdm(invocationOf(mdmCheck), businessEntity);
      yield { title: 'The master data API', checks: found(checks) };
    }
    if (secret.redis)
      yield { title: 'Redis and the consumer', checks: found(await checkStream(invocationOf(streamCheck), {})) };
  } finally {
    await secrets.close();
  }
}

function fileCheck(parts: readonly string[]): Check {
  if (parts.length > 0) return { name: 'file', status: 'passed', ms: 0, detail: `Valid, with ${parts.join(' and ')}` };
  const hint = 'Give it an mdm part, a redis part, or both: docs/deploy.md shows an example';
  return { name: 'file', status: 'failed', ms: 0, detail: 'It has neither an mdm nor a redis part', hint };
}

/** Without what only concerns callers and other containers. */
function asUsed({ access: _access, mdm, ...rest }: ConnectorSecret): object {
  return { ...rest, mdm: mdm && { ...mdm, sessionStore: 'memory' } };
}

/** The environment of a function that reads its secrets at this URL. Credentials of the shell stay, for `auth: "iam"`. */
function readAt(url: string): void {
  Object.assign(process.env, {
    AWS_REGION: process.env.AWS_REGION ?? 'us-east-1',
    AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? 'none',
    AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? 'none',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
    CONNECTOR_SECRET_PREFIX: PREFIX,
    LOG_LEVEL: 'error',
  });
}

function invocationOf(operation: Operation): Invocation {
  const endsAt = performance.now() + TIMEOUT_MS;
  const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => endsAt - performance.now() };
  return new Invocation(operation, { configRef: CONFIG_REF }, context as Context, () => 'text');
}

const found = (checks: Checks) => checks.report('failed').checks;
