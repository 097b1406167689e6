import { CHECKS, namesMatching } from '#deploy/operations.ts';
import type { Deployment } from '#deploy/parameters.ts';
import type { CheckReport } from '#lib/contract/parameters/check.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';
import { invokeRemote } from '../remote/invoke.ts';
import type { Remote } from '../remote/remote.ts';
import type { Section } from './print.ts';
import { examineStack } from './stack/examine.ts';

interface Asked {
  /** Default: those of the stack. */
  readonly configRefs: readonly string[] | undefined;
  readonly businessEntity: string | undefined;
}

/** Checks a deployment: the stack itself, then both checks in its own functions, for each configuration. */
export async function* examineDeployment(
  remote: Remote,
  given: Deployment,
  { configRefs, businessEntity }: Asked,
): AsyncGenerator<Section> {
  const { section, stack } = await examineStack(remote, given);
  yield section;
  const { configRefs: ofStack = 'default', operations = '*' } = stack?.parameters.effective ?? {};
  const deployed = namesMatching(operations.split(','));
  for (const configRef of configRefs ?? ofStack.split(',')) {
    for (const name of CHECKS.filter((check) => deployed.includes(check))) {
      const subject = name === 'mdm-check' ? 'The master data API' : 'Redis and the consumer';
      const parameters = name === 'mdm-check' ? { configRef, businessEntity } : { configRef };
      yield { title: `${subject}, configRef ${configRef}`, checks: await check(remote, name, parameters) };
    }
  }
}

/** Asks as API Gateway does, because a direct invocation that is not `ok` fails without its report. */
async function check(remote: Remote, name: string, parameters: object): Promise<CheckReport['checks']> {
  const [connector = '', operation = ''] = name.split('-');
  const event = httpEvent('POST', `/${connector}/${operation}`, JSON.stringify(parameters));
  const text = await invokeRemote(remote, name, JSON.stringify(event));
  const { statusCode, body } = JSON.parse(text) as { statusCode: number; body: string };
  const response = JSON.parse(body) as CheckReport & { detail: string; hint?: string };
  if (statusCode === 200) return response.checks;
  return [{ name: 'secret', status: 'failed', ms: 0, detail: response.detail, hint: response.hint }];
}
