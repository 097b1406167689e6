import type { CheckReport } from '#lib/contract/parameters/check.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';
import { invokeRemote, type Remote } from '../remote/invoke.ts';
import type { Section } from './print.ts';

/** Checks a deployment: both checks in its own functions, for each configuration. */
export async function* examineDeployment(
  remote: Remote,
  configRefs: readonly string[],
  businessEntity: string | undefined,
): AsyncGenerator<Section> {
  for (const configRef of configRefs) {
    const ask = (name: 'mdm' | 'stream', parameters: object) => check(remote, name, { configRef, ...parameters });
    yield { title: `The master data API, configRef ${configRef}`, checks: await ask('mdm', { businessEntity }) };
    yield { title: `Redis and the consumer, configRef ${configRef}`, checks: await ask('stream', {}) };
  }
}

/** Asks as API Gateway does, because a direct invocation that is not `ok` fails without its report. */
async function check(remote: Remote, connector: 'mdm' | 'stream', parameters: object): Promise<CheckReport['checks']> {
  const event = httpEvent('POST', `/${connector}/check`, JSON.stringify(parameters));
  const text = await invokeRemote(remote, `${connector}-check`, JSON.stringify(event));
  const { statusCode, body } = JSON.parse(text) as { statusCode: number; body: string };
  const response = JSON.parse(body) as CheckReport & { detail: string };
  if (statusCode === 200) return response.checks;
  return [{ name: 'secret', status: 'failed', ms: 0, detail: response.detail }];
}
