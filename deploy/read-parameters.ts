import { MOST_RESOURCES, resourceCount } from './resource-count.ts';
import { checkSchedules } from './further-schedules.ts';
import { CHECKS, namesMatching } from './operations.ts';
import { isRegion, REGION_ALLOWED, textOf } from './parameter-values.ts';
import { checksOf } from './schedules.ts';
import { checkTags } from './tags.ts';
import { MOST_SCHEDULES, PARAMETER_NAMES, PARAMETERS, type Deployment } from './parameters.ts';

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
const STAGE = /^[a-z][a-z0-9-]{0,19}$/;

/**
 * Checks the parameters of a deployment before anything is packaged.
 *
 * @throws {ParameterError} names each invalid parameter, and the allowed values.
 */
export function readParameters(given: GivenParameters): Deployment {
  const faults: string[] = [];
  const raw = collect(given, faults);
  const values: Record<string, unknown> = { service: given.service, stage: given.stage };
  if (!STAGE.test(given.stage)) faults.push('stage is not allowed: 1 to 20 of a-z, 0-9 and -, a letter first');
  if (given.region !== undefined && !isRegion(given.region))
    faults.push(`region ${given.region} is not allowed: ${REGION_ALLOWED}`);
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    const inDev = given.stage === DEV && 'defaultInDev' in parameter ? parameter.defaultInDev : undefined;
    const fallback = inDev ?? ('default' in parameter ? parameter.default : undefined);
    const text = raw.has(name) ? textOf(raw.get(name)) : inStage(fallback, given);
    values[name] = text === undefined ? undefined : parameter.read(text);
    if (values[name] === undefined && (text !== undefined || raw.has(name))) {
      faults.push(`${name} is not allowed: ${parameter.allowed}`);
    }
  }
  const { schedules, faults: ofSchedules } = checkSchedules(raw.get('schedules'));
  const { tags, faults: ofTags } = checkTags(raw.get('tags'));
  faults.push(...ofSchedules, ...ofTags);
  const deployment = Object.assign(values, { schedules, tags, given: [...raw.keys()] }) as unknown as Deployment;
  if (faults.length === 0) faults.push(...contradictions(deployment));
  if (faults.length === 0) faults.push(...tooManyResources(deployment));
  if (faults.length > 0) throw new ParameterError(`The deployment's parameters are invalid:\n- ${faults.join('\n- ')}`);
  return deployment;
}

/** The command line has precedence over the file, that over the stage's block, and that over the default block. */
function collect({ stage, commandLine, file = {}, blocks }: GivenParameters, faults: string[]): Map<string, unknown> {
  const fromCommandLine = commandLine.map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)] as const);
  for (const pair of commandLine) if (!pair.includes('=')) faults.push(`--param takes <name>=<value>, not '${pair}'`);
  const inBlocks = [blocks.default, blocks[stage]].flatMap((block) => Object.entries(block ?? {}));
  const everywhere = [...Object.values(blocks), file].flatMap((block) => Object.keys(block ?? {}));
  for (const name of new Set([...everywhere, ...fromCommandLine.map(([name]) => name)])) {
    if (!PARAMETER_NAMES.includes(name)) {
      faults.push(`${name} is no parameter; there are: ${PARAMETER_NAMES.join(', ')}`);
    }
  }
  return new Map<string, unknown>([...inBlocks, ...Object.entries(file), ...fromCommandLine]);
}

function inStage(text: string | undefined, { service, stage }: GivenParameters): string | undefined {
  return text?.replace('<service>', service).replace('<stage>', stage);
}

function tooManyResources(deployment: Deployment): string[] {
  const count = resourceCount(deployment);
  if (count <= MOST_RESOURCES) return [];
  return [
    `the stack would have ${count} resources, and CloudFormation allows ${MOST_RESOURCES}: give fewer configRefs, consumers or operations`,
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
    [!vpcSubnetIds !== !vpcSecurityGroupIds, 'vpcSubnetIds and vpcSecurityGroupIds are given together or not at all'],
    [
      Boolean(reserved) && reserved! < runCount,
      `consumerReservedConcurrency is at least consumers × configRefs, ${runCount}, and more for runs that an enqueue starts; 0 stops the consumer`,
    ],
    [
      scheduleCount > MOST_SCHEDULES,
      `consumers and checks × configRefs, and schedules, together are at most ${MOST_SCHEDULES}`,
    ],
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
