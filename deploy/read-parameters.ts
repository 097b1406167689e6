import type { TSchema } from 'typebox';
import { registry } from '#functions/registry.ts';
import { validate } from '#lib/contract/validation.ts';
import { MOST_RESOURCES, resourceCount } from './resource-count.ts';
import { CHECKS, namesMatching } from './operations.ts';
import { isInFileOnly, isRegion, REGION_ALLOWED, typed } from './parameter-values.ts';
import { checksOf } from './schedules.ts';
import { layersOf } from './layers.ts';
import {
  CORE,
  DEFAULTS_IN_DEV,
  MOST_LAYERS,
  MOST_SCHEDULES,
  PARAMETER_NAMES,
  Parameters,
  PARAMETERS,
  type Deployment,
} from './parameters.ts';

/** The parameters as given: on the command line, in the stage's file, and in the blocks of serverless.yml. */
export interface GivenParameters {
  readonly service: string;
  readonly stage: string;
  readonly region?: string;
  /** Each `--param`: `name=value`. */
  readonly commandLine: readonly string[];
  /** Contents of the parameters file. */
  readonly file?: Readonly<Record<string, unknown>>;
  /** `params` of serverless.yml: by stage, and `default`. */
  readonly blocks: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
}

/** Names each invalid parameter, and the allowed values. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}

/** The stage for trying things out. */
const DEV = 'dev';
/** Lambda allows 4 kB for all variables of a function; the connector has some of its own. */
const MOST_ENVIRONMENT_BYTES = 3_000;
const STAGE = /^[a-z][a-z0-9-]{0,19}$/;

/**
 * Checks the parameters of a deployment before anything is packaged.
 *
 * @throws {ParameterError} names each invalid parameter, and the allowed values.
 */
export function readParameters(given: GivenParameters): Deployment {
  const faults: string[] = [];
  if (!STAGE.test(given.stage)) faults.push('stage must be 1 to 20 of a-z, 0-9 and -, a letter first');
  if (given.region !== undefined && !isRegion(given.region))
    faults.push(`region ${given.region} must be ${REGION_ALLOWED}`);
  const raw = collect(given, faults);
  const values: Record<string, unknown> = { ...defaultsOf(given), ...Object.fromEntries(raw) };
  faults.push(...faultsOf(Parameters, values), ...inputFaults(values.schedules));
  const { service, stage } = given;
  const deployment = Object.assign(values, { service, stage, given: [...raw.keys()] }) as unknown as Deployment;
  if (faults.length === 0) faults.push(...contradictions(expanded(deployment)));
  if (faults.length === 0) faults.push(...tooManyResources(expanded(deployment)));
  if (faults.length > 0) throw new ParameterError(`The deployment's parameters are invalid:\n- ${faults.join('\n- ')}`);
  return expanded(deployment);
}

/** A deployment whose operations are functions and patterns alone. */
function expanded(deployment: Deployment): Deployment {
  const names = deployment.operations.flatMap((name) => (name === 'core' ? CORE : [name]));
  return { ...deployment, operations: [...new Set(names)] };
}

/** Faults of a value as operations word them, in the place that a pointer names. */
const faultsOf = (schema: TSchema, value: unknown, place = '') =>
  validate(schema, value).map(({ pointer, message }) => `${(place + pointer).slice(1)} ${message}`);

/** Faults of the inputs of further schedules, by the contracts of their operations. */
function inputFaults(schedules: unknown): string[] {
  if (!Array.isArray(schedules)) return [];
  return schedules.flatMap((schedule: { operation?: unknown; input?: unknown } | null, at) => {
    const operation = registry.find(({ name }) => name === schedule?.operation);
    return operation ? faultsOf(operation.input, structuredClone(schedule?.input), `/schedules/${at}/input`) : [];
  });
}

/**
 * What was given, by name, as the schema wants it. The command line has precedence over the file, that over the stage's
 * block, and that over the default block. An unknown name counts wherever it stands.
 */
function collect({ stage, commandLine, file = {}, blocks }: GivenParameters, faults: string[]): Map<string, unknown> {
  const fromCommandLine = commandLine.map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)] as const);
  for (const pair of commandLine) if (!pair.includes('=')) faults.push(`--param takes <name>=<value>, not '${pair}'`);
  const inOtherBlocks = Object.values(blocks).flatMap((block) => Object.entries(block ?? {}));
  const unknown = inOtherBlocks.filter(([name]) => !PARAMETER_NAMES.includes(name));
  const inBlocks = [blocks.default, blocks[stage]].flatMap((block) => Object.entries(block ?? {}));
  const raw = new Map<string, unknown>([...unknown, ...inBlocks, ...Object.entries(file)]);
  for (const [name, text] of fromCommandLine) {
    const schema = PARAMETERS[name];
    if (schema && isInFileOnly(schema)) faults.push(`${name} is allowed in the parameters file only`);
    else raw.set(name, text);
  }
  return new Map([...raw].map(([name, value]) => [name, PARAMETERS[name] ? typed(PARAMETERS[name], value) : value]));
}

/** The defaults, with the names of this deployment. */
function defaultsOf({ service, stage }: GivenParameters): Record<string, unknown> {
  const defaults = Object.entries(PARAMETERS).flatMap(([name, schema]) =>
    schema.default === undefined ? [] : [[name, schema.default] as const],
  );
  const values = Object.fromEntries([...defaults, ...Object.entries(stage === DEV ? DEFAULTS_IN_DEV : {})]);
  const text = JSON.stringify(values).replaceAll('<service>', service).replaceAll('<stage>', stage);
  return JSON.parse(text) as Record<string, unknown>;
}

function tooManyResources(deployment: Deployment): string[] {
  const count = resourceCount(deployment);
  if (count <= MOST_RESOURCES) return [];
  return [
    `the stack would have ${count} resources, and CloudFormation allows ${MOST_RESOURCES}: give fewer configRefs, ` +
      'consumers or operations',
  ];
}

/** Faults of values that are valid one by one. */
function contradictions(deployment: Deployment): string[] {
  const { authorizer, jwtIssuer, jwtAudience, jwtScopes, vpcSubnetIds, vpcSecurityGroupIds, schedules } = deployment;
  const isJwt = authorizer === 'jwt';
  const deployed = namesMatching(deployment.operations);
  const checks = checksOf(deployment).length;
  const runCount = deployment.consumers * deployment.configRefs.length;
  const { consumerReservedConcurrency: reserved } = deployment;
  const scheduleCount = (deployment.consumers + checks) * deployment.configRefs.length + schedules.length;
  const conditions: [boolean, string][] = [
    [isJwt && !(jwtIssuer && jwtAudience), 'authorizer=jwt needs jwtIssuer and jwtAudience'],
    [
      !isJwt && Boolean(jwtIssuer ?? jwtAudience ?? jwtScopes),
      'jwtIssuer, jwtAudience and jwtScopes are allowed with authorizer=jwt only',
    ],
    [
      authorizer === 'none' && deployment.httpApi && !deployment.given.includes('defaultEndpoint'),
      'authorizer=none lets anyone in who knows the address: give defaultEndpoint=off, and a domain behind a ' +
        'gateway of yours, or confirm it with defaultEndpoint=on',
    ],
    [!vpcSubnetIds !== !vpcSecurityGroupIds, 'vpcSubnetIds and vpcSecurityGroupIds are given together or not at all'],
    [
      Boolean(reserved) && reserved! < runCount,
      `consumerReservedConcurrency is at least consumers × configRefs, ${runCount}, and more for runs that an ` +
        'enqueue starts; 0 stops the consumer',
    ],
    [
      scheduleCount > MOST_SCHEDULES,
      `consumers and checks × configRefs, and schedules, together are at most ${MOST_SCHEDULES}`,
    ],
    [
      JSON.stringify(deployment.environment).length > MOST_ENVIRONMENT_BYTES,
      `environment is at most ${MOST_ENVIRONMENT_BYTES} bytes of JSON`,
    ],
    [layersOf(deployment).length > MOST_LAYERS, `otelLayerArn and layers together are at most ${MOST_LAYERS}`],
    ...deployment.operations.map((pattern): [boolean, string] => [
      namesMatching([pattern]).length === 0,
      `operations: ${pattern} is the name of no function`,
    ]),
    [
      deployment.checkRate !== undefined && checks === 0,
      `checkRate needs ${CHECKS.join(' or ')} among the operations that are deployed`,
    ],
    ...schedules.map(({ operation }): [boolean, string] => [
      !deployed.includes(operation),
      `schedules: ${operation} is not among the operations that are deployed`,
    ]),
  ];
  return conditions.filter(([holds]) => holds).map(([, fault]) => fault);
}
