import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { functions, type DeployedFunction } from '#scripts/build/functions.ts';
import { BUNDLES } from '#scripts/build/forms.ts';
import { asynchronousOf } from './asynchronous.ts';
import { furtherVariables } from './environment.ts';
import { accessLogs } from './http-api.ts';
import { WRAPPER_VARIABLE, WRAPPERS } from './layers.ts';
import { listedAlarms } from './manifest-alarms.ts';
import type { Manifest } from './manifest.schema.ts';
import { CHECKS, CONSUMER, knowsOperations } from './operations.ts';
import { allowedOf, textOfValue, type ParameterSchema } from './parameter-values.ts';
import { CORE, PARAMETERS, type Deployment } from './parameters.ts';
import { readParameters } from './read-parameters.ts';
import { NEEDS, needsOf, type NeedName } from './roles.ts';
import { MOST_LATE_SECONDS, SCHEDULE_RETRIES } from './schedules.ts';
import { environmentOf, VERSION } from './template.ts';

export const MANIFEST = 'manifest.json';
/** Lambda's own, where the deployment sets none. */
const USUAL = { retries: 2, seconds: 21_600, timeout: 6, memory: 1024 };

/** A deployment whose service and stage stand for themselves: `{stage}`. All other parameters have their defaults. */
const DEFAULTS = withDefaults();
/** The same with checks on a schedule: a reader gives them no retries, whether they have one or not. */
const WITH_CHECKS = { ...DEFAULTS, checkRate: '{checkRate}' };
/** A deployment whose parameters stand for themselves: `{secretPrefix}`. */
const SYMBOLIC = symbolic();

/** The manifest of these functions, whose zips lie in a folder. */
export function manifestOf(names: readonly string[], folder: string): Manifest {
  const listed = functions.filter(({ name }) => names.includes(name));
  return {
    name: 'mdm-stream-functions',
    version: VERSION,
    runtime: 'nodejs24.x',
    architecture: 'arm64',
    parameters: Object.entries(PARAMETERS).map(([name, schema]) => parameterOf(name, schema)),
    core: [...CORE],
    environment: [...OF_ALL, ...VARIABLES],
    layers: ['{otelLayerArn}', '{layers}'],
    needs: asText(Object.fromEntries(Object.keys(NEEDS).map((name) => [name, needOf(name as NeedName)]))),
    functions: listed.map((one) => functionOf(one, folder)),
    schedules: schedules(names),
    alarms: asText(listedAlarms(DEFAULTS)),
    accessLog: accessLogs.format,
  };
}

function parameterOf(name: string, schema: ParameterSchema): Manifest['parameters'][number] {
  const standard = textOfValue(schema.default)?.replace(/<(\w+)>/g, '{$1}');
  const { minimum, maximum } = schema;
  const pattern = patternOf(schema.items ?? schema);
  return {
    name,
    description: schema.description ?? '',
    allowed: allowedOf(schema, 'a list'),
    ...(pattern !== undefined && { pattern }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(standard !== undefined && { default: standard }),
  };
}

const patternOf = ({ enum: values, pattern }: ParameterSchema) => (values ? `^(${values.join('|')})$` : pattern);

const variables = (environment: Record<string, string>) =>
  Object.entries(environment).map(([name, value]) => ({ name, value }));

const WITHOUT_CONSUMER = environmentOf({ ...SYMBOLIC, operations: [] });
/** Variables of every deployment, and those that it has only beside the consumer. */
const OF_ALL: Manifest['environment'] = variables(environmentOf(SYMBOLIC)).map((one) =>
  one.name in WITHOUT_CONSUMER ? one : { ...one, beside: CONSUMER },
);

/** Variables that a parameter adds. */
const VARIABLES: Manifest['environment'] = [
  ...variables(furtherVariables({ ...SYMBOLIC, otelLayerArn: undefined })).map((one) => ({
    ...one,
    when: 'deadLetterTopicArn',
  })),
  ...WRAPPERS.map(({ wrapper, layer }) => ({
    name: WRAPPER_VARIABLE,
    value: wrapper,
    when: 'otelLayerArn',
    ...(layer !== undefined && { contains: layer }),
  })),
];

function needOf(name: NeedName): Manifest['needs'][string] {
  const need = NEEDS[name];
  return {
    ...('when' in need && { when: need.when }),
    ...('beside' in need && { beside: need.beside }),
    statements: need.statements('{function}', SYMBOLIC) as Manifest['needs'][string]['statements'],
  };
}

function functionOf(deployed: DeployedFunction, folder: string): Manifest['functions'][number] {
  const { name, description, operation, routes = [] } = deployed;
  const { retries = USUAL.retries, seconds = USUAL.seconds } = asynchronousOf(deployed, WITH_CHECKS);
  const zip = `${name}.zip`;
  return {
    name,
    description,
    zip,
    sha256: hashOf(join(folder, zip)),
    handler: `${BUNDLES.release}/${name}/index.handler`,
    seconds: operation?.deploy.timeoutSeconds ?? USUAL.timeout,
    memory: operation?.deploy.memoryMb ?? USUAL.memory,
    routes: operation?.deploy.http ? [`POST ${operation.route}`] : [...routes],
    isDocument: operation === undefined,
    needs: needsOf(deployed, SYMBOLIC),
    environment: knowsOperations(name) ? { CONNECTOR_OPERATIONS: '{operations}' } : {},
    ...(name === CONSUMER && { memoryFrom: 'consumerMemory', reservedFrom: 'consumerReservedConcurrency' }),
    ...(name !== CONSUMER && operation?.deploy.http && { reservedFrom: 'apiReservedConcurrency' }),
    isAudited: operation !== undefined && !operation.readOnly,
    retries,
    maxAgeSeconds: seconds,
    isRecursive: name === CONSUMER,
  };
}

function schedules(names: readonly string[]): Manifest['schedules'] {
  const usual = { retries: SCHEDULE_RETRIES, maxAgeSeconds: MOST_LATE_SECONDS, input: { configRef: '{configRef}' } };
  const scheduled = functions.filter(({ name, operation }) => operation?.deploy.scheduled && names.includes(name));
  return [
    ...scheduled.map(({ name }) => ({ function: name, rate: '{consumerRate}', copies: '{consumers}', ...usual })),
    ...CHECKS.filter((name) => names.includes(name)).map((name) => ({
      function: name,
      rate: '{checkRate}',
      when: 'checkRate',
      copies: '1',
      ...usual,
    })),
  ];
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('base64');

function withDefaults(): Deployment {
  const usual = readParameters({ service: 'service', stage: 'stage', commandLine: [], blocks: {} });
  return { ...usual, service: '{service}', stage: '{stage}' };
}

function symbolic(): Deployment {
  const lists = ['consumerTargets', 'redisIamArns', 'vpcSubnetIds'];
  const values = Object.keys(PARAMETERS).map((name) => [name, lists.includes(name) ? [`{${name}}`] : `{${name}}`]);
  const notParameters = {
    operations: DEFAULTS.operations,
    httpApi: true,
    sharedSession: false,
    schedules: [],
    tags: {},
    environment: {},
  };
  return Object.assign({ ...DEFAULTS }, Object.fromEntries(values), notParameters) as Deployment;
}

const PSEUDO: Record<string, string> = {
  Partition: 'partition',
  Region: 'region',
  AccountId: 'account',
  URLSuffix: 'urlSuffix',
};

/** A value whose references are texts. */
function asText<T>(value: T): T;
function asText(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\$\{AWS::(\w+)\}/g, (_, name: string) => `{${PSEUDO[name]}}`);
  if (Array.isArray(value)) return value.map((item: unknown) => asText(item));
  if (typeof value !== 'object' || value === null) return value;
  const { Ref, 'Fn::Sub': sub, 'Fn::GetAtt': attribute } = value as Record<string, unknown>;
  if (Ref !== undefined) return `{${Ref as string}}`;
  if (sub !== undefined) return asText(sub);
  if (attribute !== undefined) return '{Queue}'; // the only one: the name of the dead-letter queue
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asText(inner)]));
}
