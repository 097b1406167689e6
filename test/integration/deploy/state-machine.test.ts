import { describe, expect, it } from '@jest/globals';
import { StateMachine } from 'aws-local-stepfunctions';
import { readFileSync } from 'node:fs';
import { startInvokeApi } from '#sandbox/aws/runtime/invoke-api.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { use } from '../../support/jest/use.ts';

type Definition = ConstructorParameters<typeof StateMachine>[0];

const definition = JSON.parse(readFileSync('docs/examples/submit.asl.json', 'utf8')) as Definition;
const FUNCTION = 'mdm-stream-prod-mdm-source-submit';
const city = (sourcePKey: string) => ({
  businessEntity: 'c360.city',
  sourceSystem: 'geonames',
  sourcePKey,
  record: { name: 'Bonn', country: { Code: 'DE' } },
});

let invocations = 0;

const stack = await use(startMdmStack());
const lambda = await use(
  startInvokeApi((functionName) => {
    invocations++;
    if (functionName !== FUNCTION) return undefined;
    const env = { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: stack.secrets.url };
    return { taskRoot: process.cwd(), handler: '.build/functions/mdm-source-submit/index.handler', functionName, env };
  }),
);
process.env.AWS_ENDPOINT_URL_LAMBDA = lambda.url;

async function run(input: object): Promise<Record<string, unknown>> {
  invocations = 0;
  const options = { overrides: { retryIntervalOverrides: { Submit: 10 } } };
  const execution = new StateMachine(definition, { validationOptions: { checkPaths: true, checkArn: true } });
  return (await execution.run(input as never, options).result) as Record<string, unknown>;
}

describe('the state machine of the documentation', () => {
  it('is valid Amazon States Language, and submits a record', async () => {
    expect(await run(city('asl-1'))).toMatchObject({ sourcePKey: 'asl-1', result: { payload: expect.anything() } });
    expect(invocations).toBe(1);
  });

  it('tries again what failed with MDM:SERVER_ERROR', async () => {
    stack.mdm.misbehave({ status: 500, path: '/business-entity', times: 2 });

    expect(await run(city('asl-2'))).toMatchObject({ result: { payload: expect.anything() } });
    expect(invocations).toBe(3);
  });

  it('sends what the MDM refuses its own way, with the cause, without a second try', async () => {
    const refused = await run({ ...city('asl-3'), businessEntity: 'c360.nosuch' });

    expect(refused).toEqual({
      sourcePKey: 'asl-3',
      outcome: 'refused',
      cause: expect.stringContaining('MDM:CLIENT_ERROR'),
    });
    expect(invocations).toBe(1);
  });

  it('fails when the retries are used up', async () => {
    stack.mdm.misbehave({ status: 500, path: '/business-entity', times: 5 });

    await expect(run(city('asl-4'))).rejects.toThrow(/out of reach for longer/);
    expect(invocations).toBe(5);
  });
});
