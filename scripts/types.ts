import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { createClient } from '#lib/client/client.ts';
import { OperationError } from '#lib/client/error.ts';
import { lambdaTransport } from '#lib/client/lambda.ts';
import { RECORD_OPERATIONS } from '#lib/contract/parameters/mdm.ts';
import { oneOf, readArguments, ScriptError, stop } from './arguments.ts';
import { functionNameOf } from '#sandbox/stack/names.ts';
import { LAMBDA_PORT, readPort } from './port-options.ts';

/*
 * npm run types [-- --entity <id>]: TypeScript types of the records of one or all business entities, from the tenant's
 * data model.
 */

const { values } = readArguments({
  command: 'npm run --silent types',
  about:
    "Prints TypeScript types of the records of every business entity, or of one, made from the tenant's data model.",
  options: {
    entity: { type: 'string', value: '<id>', about: 'internal id of a business entity, c360.city; default: all' },
    operation: {
      type: 'string',
      default: 'source-submit',
      value: '<name>',
      about: `${RECORD_OPERATIONS.join(', ')}: which shape of the record`,
    },
    out: { type: 'string', value: '<file>', about: 'write the types there, not to the terminal' },
    'config-ref': { type: 'string', default: 'default', value: '<name>', about: 'connector configuration' },
    'function-prefix': {
      type: 'string',
      value: '<prefix>',
      about: 'deployed functions, mdm-stream-prod-; else the local stack',
    },
    'lambda-port': LAMBDA_PORT,
  },
  examples: [
    'npm run --silent types -- --out ../your-project/src/records.ts',
    'npm run --silent types -- --entity c360.city --operation search',
    'npm run --silent types -- --entity c360.city --function-prefix mdm-stream-prod- --out ../your-project/src/city.ts',
  ],
});

try {
  const { entity, out, 'config-ref': configRef } = values;
  const operation = oneOf('operation', values.operation, RECORD_OPERATIONS);
  const prefix = values['function-prefix'];
  const lambda = prefix === undefined ? localStack(readPort('lambda-port', values['lambda-port'])) : new LambdaClient();
  const client = createClient(lambdaTransport({ functionPrefix: prefix ?? functionNameOf(''), lambda }));
  const schemaOf = (businessEntity: string) =>
    client.invoke('mdm-record-schema', { businessEntity, operation, configRef });
  const ids = entity ? [entity] : (await client.invoke('mdm-business-entities', { configRef })).map(({ id }) => id);
  const schemas: [string, object][] = [];
  // one after the other: the container caches the data model
  for (const id of ids) schemas.push([id, await schemaOf(id)]);
  const subject = `${entity ?? 'Every business entity'}, ${operation}`;
  const bannerComment = `/* ${subject}: made by npm run types from the tenant's data model. */`;
  const options = { bannerComment, additionalProperties: true };
  const types = await compile(mapOf(schemas, entity === undefined ? 'Record' : ''), 'Records', options);
  if (out === undefined) console.log(types);
  else write(out, types);
} catch (error) {
  stop(error instanceof OperationError ? new ScriptError(`${error.type}: ${error.message}`) : error);
}

function write(file: string, types: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, types);
  } catch (error) {
    throw new ScriptError(`${file} cannot be written: ${(error as Error).message}`);
  }
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

/** One schema of all entities, by their ids; the suffix keeps a record's type and a field's of the same title apart. */
function mapOf(schemas: readonly [string, object][], suffix: string): JSONSchema {
  return {
    type: 'object',
    description: 'The records of a business entity, by its internal id: for createClient<Records>(…).',
    properties: Object.fromEntries(schemas.map(([id, schema]) => [id, { ...schema, title: `${nameOf(id)}${suffix}` }])),
    required: schemas.map(([id]) => id),
    additionalProperties: false,
  };
}

/** `c360.city` as a type's name: `City`. */
function nameOf(entity: string): string {
  const last = entity.slice(entity.lastIndexOf('.') + 1);
  return last.charAt(0).toUpperCase() + last.slice(1);
}
