import { mdmCheck } from '#functions/mdm/check/contract.ts';
import { streamCheck } from '#functions/consumer/check/contract.ts';
import { checkStream } from '#lib/consumer/operator/check.ts';
import type { Check } from '#lib/contract/parameters/check.ts';
import { checkMdm } from '#lib/mdm/check.ts';
import type { Checks } from '#lib/invocation/checks.ts';
import type { ConnectorSecret } from '#lib/config/config.schema.ts';
import { invocationOf, putSecret } from './own-secrets.ts';
import type { Section } from './print.ts';

/** Each examination has a configuration of its own, because functions keep what they read. */
let examined = 0;

/**
 * Checks a configuration as the functions would, from this machine: they read it from a Secrets Manager on loopback.
 * The session is kept in memory, so that nothing is written to Redis.
 */
export async function* examineSecret(
  path: string,
  secret: ConnectorSecret,
  businessEntity: string | undefined,
): AsyncGenerator<Section> {
  const parts = [secret.mdm ? 'mdm' : undefined, secret.redis ? 'redis' : undefined].filter(
    (part) => part !== undefined,
  );
  yield { title: path, checks: [fileCheck(parts)] };
  const configRef = `secret-${++examined}`;
  await putSecret(configRef, asUsed(secret));
  if (secret.mdm) {
    const checks = await checkMdm(invocationOf(mdmCheck, configRef), businessEntity);
    yield { title: 'The master data API', checks: found(checks) };
  }
  if (secret.redis)
    yield {
      title: 'Redis and the consumer',
      checks: found(await checkStream(invocationOf(streamCheck, configRef), {})),
    };
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

const found = (checks: Checks) => checks.report('failed').checks;
