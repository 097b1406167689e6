import { describe, expect, it } from '@jest/globals';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { StateMachine } from 'aws-local-stepfunctions';
import { readFileSync } from 'node:fs';
import { startInvokeApi } from '#sandbox/aws/runtime/invoke-api.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { use } from '../../support/jest/use.ts';

type Definition = ConstructorParameters<typeof StateMachine>[0];

const definition = JSON.parse(readFileSync('docs/examples/submit.asl.json', 'utf8')) as Definition;
const CREDENTIALS = { region: 'eu-central-1', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } };
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
const client = new LambdaClient({ endpoint: lambda.url, ...CREDENTIALS });

/** What Step Functions does with a function's failure: the whole of it is the cause, as JSON. The runner keeps less. */
async function invoke(input: unknown): Promise<string> {
  const result = await client.send(new InvokeCommand({ FunctionName: FUNCTION, Payload: JSON.stringify(input) }));
  const text = result.Payload!.transformToString();
  const output = JSON.parse(text) as string & { errorType?: string };
  if (!result.FunctionError) return output;
  throw Object.assign(new Error(text), { name: output.errorType });
}

async function run(input: object): Promise<Record<string, unknown>> {
  invocations = 0;
  const overrides = { waitTimeOverrides: { Pause: 10 }, taskResourceLocalHandlers: { Submit: invoke } };
  const execution = new StateMachine(definition, { validationOptions: { checkPaths: true, checkArn: true } });
  return (await execution.run(input as never, { overrides }).result) as Record<string, unknown>;
}

/** The connector sends an idempotent call three times by itself. */
const TRIES = 3;

describe('the state machine of the documentation', () => {
  it('the state machine of the documentation is valid Amazon States Language, and submits a record', async () => {
    expect(await run(city('asl-1'))).toMatchObject({ payload: expect.anything() });
    expect(invocations).toBe(1);
  });

  it('the documented state machine retries a submit with a key while the MDM is unavailable', async () => {
    stack.mdm.misbehave({ status: 503, path: '/business-entity', times: 2 * TRIES });

    expect(await run(city('asl-2'))).toMatchObject({ payload: expect.anything() });
    expect(invocations).toBe(3);
  });

  it('the documented state machine does not retry a submit without a key whose response is lost', async () => {
    stack.mdm.misbehave({ reset: true, after: true, path: '/business-entity' });

    await expect(run({ ...city(''), sourcePKey: undefined })).rejects.toThrow(/may have been submitted/);
    expect(invocations).toBe(1);
  });

  it('the documented state machine retries a submit without a key that the MDM temporarily refuses', async () => {
    stack.mdm.misbehave({ status: 429, path: '/business-entity' });

    expect(await run({ ...city(''), sourcePKey: undefined })).toMatchObject({ payload: expect.anything() });
    expect(invocations).toBe(2);
  });

  it('the documented state machine routes refusals of the MDM to their own state, with the cause', async () => {
    const refused = await run({ ...city('asl-3'), businessEntity: 'c360.nosuch' });

    expect(refused).toEqual({
      outcome: 'refused',
      type: 'MDM:CLIENT_ERROR',
      detail: expect.stringContaining('answered 404'),
    });
    expect(invocations).toBe(1);
  });

  it('the documented state machine fails when its tries are used up', async () => {
    stack.mdm.misbehave({ status: 503, path: '/business-entity', times: 4 * TRIES });

    await expect(run(city('asl-4'))).rejects.toThrow(/out of reach for longer/);
    expect(invocations).toBe(4);
  });
});
