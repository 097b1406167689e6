import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PARAMETER_NAMES } from '#deploy/parameters.ts';
import { functions } from '#scripts/build/functions.ts';
import { packageStage, type PackageOptions } from '../support/aws/packaged-template.ts';

/*
 * Packages the functions with each of these parameter sets, into .build/interop/templates/<name>/, for the checks of
 * their templates. Together the sets give every parameter.
 */

const FOLDER = '.build/interop/templates';
const ARN = 'arn:aws:kms:eu-central-1:123456789012:key/11111111-2222-3333-4444-555555555555';
const LAYER = 'arn:aws:lambda:eu-central-1:123456789012:layer:';
const GOV = 'us-gov-west-1';

const SETS: Record<string, PackageOptions> = {
  default: { stage: 'prod' }, // as the stored template of 1.0.0
  everything: {
    stage: 'everything',
    params: {
      operations: 'mdm-source-*,stream-xadd,stream-consumer,stream-status,stream-check,api-*',
      kmsKeyArn: ARN,
      logKmsKeyArn: ARN,
      vpcSubnetIds: 'subnet-11111111,subnet-22222222',
      vpcSecurityGroupIds: 'sg-11111111',
      redisIamArns: 'arn:aws:elasticache:eu-central-1:123456789012:user:connector',
      authorizer: 'jwt',
      jwtIssuer: 'https://id.example',
      jwtAudience: 'mdm',
      jwtScopes: 'mdm/call',
      permissionsBoundary: 'arn:aws:iam::123456789012:policy/boundary',
      consumers: 3,
      consumerReservedConcurrency: 8,
      configRefs: 'default,second',
      consumerTargets: 'orders-*',
      sharedSession: 'on',
      publicDocs: 'on',
      corsOrigins: 'https://app.example',
      alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:on-call',
      tracing: 'on',
      logRetentionInDays: 365,
      auditRetentionInDays: 3653,
      secretPrefix: 'everything/',
      secretTtlMs: 60_000,
      defaultEndpoint: 'off',
      apiReservedConcurrency: 5,
      consumerMemory: 1769,
      consumerRate: 'rate(2 minutes)',
      checkRate: 'rate(1 hour)',
      streamLengthAlarm: 5000,
      asyncFailureArn: 'arn:aws:sqs:eu-central-1:123456789012:failed',
      deadLetterTopicArn: 'arn:aws:sns:eu-central-1:123456789012:letters',
      logLevel: 'debug',
      otelLayerArn: `${LAYER}otel:1`,
      layers: `${LAYER}collector:1,${LAYER}extension:1`,
      throttleRate: 50,
      throttleBurst: 60,
    },
    file: {
      environment: { OTEL_TRACES_SAMPLER: 'always_on' },
      tags: { team: 'master-data' },
      schedules: [{ operation: 'stream-status', rate: 'rate(1 hour)', input: { stream: 'orders' } }],
    },
  },
  'mdm-alone': {
    stage: 'mdm',
    params: {
      operations: 'mdm-search,mdm-master-read',
      monitoring: 'off',
      authorizer: 'none',
      defaultEndpoint: 'on',
      keepLogs: 'off',
      terminationProtection: 'off',
    },
  },
  'streams-alone': {
    stage: 'streams',
    region: GOV,
    params: { operations: 'stream-xadd,stream-xread', monitoring: 'basic' },
  },
  'consumer-alone': {
    stage: 'consumer',
    params: {
      operations: 'stream-consumer',
      consumers: 10,
      consumerRate: 'rate(5 minutes)',
      consumerState: 'off',
      httpApi: 'off',
      deadLetterTopicArn: 'arn:aws:events:eu-central-1:123456789012:event-bus/letters',
    },
  },
};

const given = new Set(Object.values(SETS).flatMap(({ params, file }) => Object.keys({ ...params, ...file })));
const missing = PARAMETER_NAMES.filter((name) => !given.has(name));
if (missing.length > 0) throw new Error(`No parameter set gives ${missing.join(', ')}`);

/** What each function needs, by its contract. */
const contracts = functions.map(({ name, operation }) => [
  name,
  {
    readsSecret: operation !== undefined,
    invokesTargets: operation?.deploy.invokesTargets ?? false,
    wakesConsumer: operation?.deploy.wakesConsumer ?? false,
  },
]);
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'contracts.json'), JSON.stringify(Object.fromEntries(contracts)));

const only = process.argv.slice(2);
for (const [name, options] of Object.entries(SETS)) {
  if (only.length > 0 && !only.includes(name)) continue;
  const directory = join(FOLDER, name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  await packageStage({ ...options, directory });
  writeFileSync(join(directory, 'region'), options.region ?? 'eu-central-1');
}
