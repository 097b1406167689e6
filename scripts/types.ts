import { writeFileSync } from 'node:fs';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { compile } from 'json-schema-to-typescript';
import { createClient } from '../lib/client/client.ts';
import { OperationError } from '../lib/client/error.ts';
import { lambdaTransport } from '../lib/client/lambda.ts';
import { RECORD_OPERATIONS } from '../lib/contract/mdm-parameters.ts';
import { oneOf, readArguments, ScriptError, stop } from './arguments.ts';
import { functionNameOf } from './start/names.ts';
import { LAMBDA_PORT, readPort } from './start/options.ts';

/*
 * npm run types -- --entity <id>: TypeScript types of a business entity's records, from the tenant's own data model.
 */

const { values } = readArguments({
  command: 'npm run --silent types',
  about: "Prints TypeScript types of a business entity's records, made from the tenant's data model.",
  options: {
    entity: { type: 'string', value: '<id>', about: 'internal id of the business entity, c360.city' },
    operation: {
      ...{ type: 'string', default: 'source-submit', value: '<name>' },
      about: `${RECORD_OPERATIONS.join(', ')}: which shape of the record`,
    },
    out: { type: 'string', value: '<file>', about: 'write the types there, not to the terminal' },
    'config-ref': { type: 'string', default: 'default', value: '<name>', about: 'connector configuration' },
    'function-prefix': { type: 'string', value: '<prefix>', about: 'deployed functions, mdm-stream-prod-; else the local stack' }, // prettier-ignore
    'lambda-port': LAMBDA_PORT,
  },
  examples: [
    'npm run --silent types -- --entity c360.city',
    'npm run --silent types -- --entity c360.city --function-prefix mdm-stream-prod- --out src/city.ts',
  ],
});

try {
  const { entity, out } = values;
  if (!entity) throw new ScriptError('--entity is needed: see npm run types -- --help');
  const operation = oneOf('operation', values.operation, RECORD_OPERATIONS);
  const prefix = values['function-prefix'];
  const lambda = prefix === undefined ? localStack(readPort('lambda-port', values['lambda-port'])) : new LambdaClient();
  const client = createClient(lambdaTransport({ functionPrefix: prefix ?? functionNameOf(''), lambda }));
  const input = { businessEntity: entity, operation, configRef: values['config-ref'] };
  const schema = await client.invoke('mdm-record-schema', input);
  const bannerComment = `/* ${entity}, ${operation}: made by npm run types from the tenant's data model. */`;
  const types = await compile(schema, nameOf(entity), { bannerComment, additionalProperties: true });
  if (out === undefined) console.log(types);
  else writeFileSync(out, types);
} catch (error) {
  stop(error instanceof OperationError ? new ScriptError(`${error.type}: ${error.message}`) : error);
}

function localStack(port: number): LambdaClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return new LambdaClient({
    endpoint: `http://localhost:${port}`,
    region: 'eu-central-1',
    credentials,
    maxAttempts: 1,
  });
}

/** `c360.city` as a type's name: `City`. */
function nameOf(entity: string): string {
  const last = entity.slice(entity.lastIndexOf('.') + 1);
  return last.charAt(0).toUpperCase() + last.slice(1);
}
