import { parseArgs } from 'node:util';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { compile } from 'json-schema-to-typescript';
import { createClient } from '../lib/client/client.ts';
import { lambdaTransport } from '../lib/client/lambda.ts';
import { DEFAULT_PORTS, functionNameOf } from './start/names.ts';

/*
 * npm run types -- --entity <id>: TypeScript types of a business entity's records, from the tenant's own data model.
 */

const USAGE = `npm run types -- --entity <id> [--operation <name>] [--config-ref <name>] [--function-prefix <prefix> | --lambda-port <port>]

  <id>               internal id of the business entity, c360.city
  --operation        master-read, search, source-read or source-submit; default source-submit, what callers write
  --config-ref       connector configuration; default: default
  --function-prefix  what the functions' names begin with, mdm-stream-prod-; default: the stack of npm start
  --lambda-port      of that stack; default: ${DEFAULT_PORTS.lambda}`;

try {
  const { values } = parseArgs({
    options: {
      entity: { type: 'string' },
      operation: { type: 'string', default: 'source-submit' },
      'config-ref': { type: 'string', default: 'default' },
      'function-prefix': { type: 'string' },
      'lambda-port': { type: 'string', default: String(DEFAULT_PORTS.lambda) },
    },
  });
  if (!values.entity) throw new Error(USAGE);
  const functionPrefix = values['function-prefix'] ?? functionNameOf('');
  const lambda = values['function-prefix'] === undefined ? localStack(values['lambda-port']) : new LambdaClient({});
  const client = createClient(lambdaTransport({ functionPrefix, lambda }));
  const schema = await client.invoke('mdm-record-schema', {
    businessEntity: values.entity,
    operation: values.operation as 'source-submit',
    configRef: values['config-ref'],
  });
  const bannerComment = `/* ${values.entity}, ${values.operation}: made by npm run types from the tenant's data model. */`;
  console.log(await compile(schema, nameOf(values.entity), { bannerComment, additionalProperties: true }));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function localStack(port: string): LambdaClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return new LambdaClient({
    endpoint: `http://localhost:${port}`,
    region: 'eu-central-1',
    credentials,
  });
}

/** `c360.city` as a type's name: `City`. */
function nameOf(entity: string): string {
  const last = entity.slice(entity.lastIndexOf('.') + 1);
  return last.charAt(0).toUpperCase() + last.slice(1);
}
