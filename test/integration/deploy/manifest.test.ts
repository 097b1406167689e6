import { afterAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { alarmResources } from '#deploy/alarms.ts';
import type { Manifest } from '#deploy/manifest.schema.ts';
import { readParameters } from '#deploy/read-parameters.ts';
import { environmentOf } from '#deploy/template.ts';
import { alarmsOf, fill, rightOf, rightsOf, variablesOf, type Values } from '../../support/aws/from-manifest.ts';
import { iamOf } from '../../support/aws/iam.ts';
import { ofType, packageStage, type Properties } from '../../support/aws/packaged-template.ts';

/*
 * manifest.json stands beside the zips. What a reader of it alone would deploy is what the packaged template deploys:
 * function by function, with every parameter that adds a right.
 */

const ofLayer = (name: string) => `arn:aws:lambda:eu-central-1:615299751070:layer:${name}:9`;
const LAYERS = [ofLayer('AWSOpenTelemetryDistroJs'), ofLayer('further')] as const;
const ENVIRONMENT = { OTEL_TRACES_SAMPLER: 'always_on' };
const PARAMS = {
  kmsKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/1b2c',
  tracing: 'on',
  checkRate: 'rate(1 hour)',
  vpcSubnetIds: 'subnet-0a1b2c3d',
  vpcSecurityGroupIds: 'sg-0a1b2c3d',
  consumers: 2,
  configRefs: 'default,emea',
  redisIamArns: 'arn:aws:elasticache:eu-central-1:123456789012:serverlesscache:mdm',
  consumerTargets: 'mdm-stream-all-target-*,billing',
  consumerMemory: 1024,
  consumerReservedConcurrency: 10,
  apiReservedConcurrency: 5,
  deadLetterTopicArn: 'arn:aws:sns:eu-central-1:123456789012:letters',
  otelLayerArn: LAYERS[0],
  layers: LAYERS[1],
};
const VALUES = {
  ...PARAMS,
  partition: 'aws',
  region: 'eu-central-1',
  account: '123456789012',
  urlSuffix: 'amazonaws.com',
  service: 'mdm-stream',
  stage: 'all',
  secretPrefix: 'mdm-stream/all/',
  secretTtlMs: 300_000,
  monitoring: 'full',
  logLevel: 'info',
  consumerRate: 'rate(1 minute)',
  operations: '*',
  consumerTargets: PARAMS.consumerTargets.split(','),
  configRefs: PARAMS.configRefs.split(','),
};

const folder = mkdtempSync(join(tmpdir(), 'manifest-'));
afterAll(() => rmSync(folder, { recursive: true }));
const template = await packageStage({
  stage: 'all',
  params: PARAMS,
  file: { environment: ENVIRONMENT },
  directory: folder,
});
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
const iam = iamOf(template);
const lambdas = new Map(
  ofType(template, 'AWS::Lambda::Function').map(([id]) => {
    const properties = iam.resources[id]!.Properties;
    return [properties.FunctionName.replace('mdm-stream-all-', ''), { id, properties }] as const;
  }),
);
const all = (type: string) => ofType(template, type).map(([id]) => iam.resources[id]!.Properties);
const valueOf = (parameter = '') => (VALUES as Values)[parameter];
const one = (text: string) => fill(text, VALUES)[0]!;

it('the manifest fits its JSON Schema, and names every function of the template', () => {
  const validate = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync('docs/manifest.schema.json', 'utf8')) as object,
  );

  expect([validate(manifest), validate.errors]).toEqual([true, null]);
  expect(manifest.functions.map(({ name }) => name).sort()).toEqual([...lambdas.keys()].sort());
});

describe.each(manifest.functions.map((each) => [each.name, each] as const))('%s', (name, listed) => {
  const { id, properties } = lambdas.get(name)!;

  it('the manifest gives each function the zip, handler, size, environment and rights of the template', () => {
    const statements = iam
      .statementsOf(properties.Role)
      .flatMap(({ Effect, Action, Resource = [], Condition }) =>
        [Action].flat().flatMap((action) => [Resource].flat().map((one) => rightOf(Effect, action, one, Condition))),
      );
    const { Variables } = properties.Environment as { Variables: Record<string, string> };
    const environment = Object.entries({ ...variablesOf(manifest, VALUES), ...listed.environment });
    const zip = readFileSync(join(folder, listed.zip));

    expect(rightsOf(manifest, name, VALUES)).toEqual(statements.sort());
    expect({
      ...Object.fromEntries(environment.map(([variable, text]) => [variable, one(text)])),
      ...ENVIRONMENT,
    }).toEqual(Variables);
    expect(listed.sha256).toBe(createHash('sha256').update(zip).digest('base64'));
    expect(properties).toMatchObject({
      Handler: listed.handler,
      MemorySize: valueOf(listed.memoryFrom) ?? listed.memory,
      Layers: LAYERS,
      Timeout: listed.seconds,
      Runtime: manifest.runtime,
      Architectures: [manifest.architecture],
    });
    expect(properties.ReservedConcurrentExecutions).toBe(valueOf(listed.reservedFrom));
    expect(properties.VpcConfig !== undefined).toBe(listed.needs.includes('network'));
    expect(properties.RecursiveLoop === 'Allow').toBe(listed.isRecursive);
  });

  it('the manifest gives each function the routes, retention and retries of the template', () => {
    const integrations = Object.entries(iam.resources).filter(
      ([, { Properties }]) => Properties.IntegrationUri === iam.arnOf(id),
    );
    const targets = integrations.map(([integration]) => `integrations/ref-${integration}`);
    const routes = all('AWS::ApiGatewayV2::Route').filter(({ Target }) =>
      targets.includes(Target as unknown as string),
    );
    const isOf = ({ LogGroupName }: Properties) => LogGroupName === `/aws/lambda/mdm-stream-all-${name}`;
    const invoke = all('AWS::Lambda::EventInvokeConfig').find(({ FunctionName }) => FunctionName === `ref-${id}`);

    expect(routes.map(({ RouteKey }) => RouteKey).sort()).toEqual(listed.routes.toSorted());
    expect(all('AWS::Logs::LogGroup').find(isOf)?.RetentionInDays).toBe(listed.isAudited ? 400 : 30);
    expect([invoke?.MaximumRetryAttempts ?? 2, invoke?.MaximumEventAgeInSeconds ?? 21_600]).toEqual([
      listed.retries,
      listed.maxAgeSeconds,
    ]);
  });
});

it('a reader of the manifest who deploys no consumer gives no function its name, or the right to wake it', () => {
  const operations = ['mdm-source-enqueue', 'mdm-source-enqueue-batch'];
  const commandLine = [`operations=${operations.join()}`];
  const deployment = readParameters({ service: 'mdm-stream', stage: 'all', commandLine, blocks: {} });
  const isBeside = (name?: string) => name === undefined || operations.includes(name);

  expect(Object.keys(variablesOf(manifest, {}, isBeside))).toEqual(Object.keys(environmentOf(deployment)));
  for (const name of operations) {
    expect(rightsOf(manifest, name, VALUES, isBeside).join()).not.toContain('lambda:InvokeFunction');
  }
});

it('the manifest has the access log of the template', () => {
  const [stage] = all('AWS::ApiGatewayV2::Stage');

  expect(stage).toMatchObject({ AccessLogSettings: { Format: manifest.accessLog } });
});

it('the manifest has the schedules of the template', () => {
  const ofTemplate = all('AWS::Scheduler::Schedule').map(({ Target, ScheduleExpression }) => {
    return `${Target.Arn} ${String(ScheduleExpression)} ${Target.Input} ${JSON.stringify(Target.RetryPolicy)}`;
  });
  const ofManifest = manifest.schedules.flatMap(({ function: name, rate, copies, input, retries, maxAgeSeconds }) =>
    VALUES.configRefs.flatMap((configRef) =>
      Array.from({ length: Number(one(copies)) }, () => {
        const policy = { MaximumRetryAttempts: retries, MaximumEventAgeInSeconds: maxAgeSeconds };
        const text = JSON.stringify(input).replace('{configRef}', configRef);
        return `${iam.arnOf(lambdas.get(name)!.id)} ${one(rate)} ${text} ${JSON.stringify(policy)}`;
      }),
    ),
  );

  expect(ofManifest.sort()).toEqual(ofTemplate.sort());
});

describe('a reader of the manifest', () => {
  const USUAL = { monitoring: 'full', consumerRate: 'rate(1 minute)', configRefs: 'default' };

  it.each([
    {},
    { consumerRate: 'rate(1 hour)' },
    { consumerRate: 'rate(1 day)', configRefs: 'default,emea' },
    { configRefs: 'default,emea,us' },
    { monitoring: 'basic' },
    { monitoring: 'basic', configRefs: 'default,emea', consumerRate: 'rate(10 minutes)' },
    { checkRate: 'rate(2 minutes)' },
    { checkRate: 'rate(1 day)', monitoring: 'basic', consumerRate: 'rate(30 minutes)' },
  ])('makes the alarms of the template: %j', (given) => {
    const parameters = { ...USUAL, ...given };
    const commandLine = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
    const deployment = readParameters({ service: 'mdm-stream', stage: 'all', commandLine, blocks: {} });
    const { configRefs } = deployment;
    const values = { ...(parameters as Values), service: 'mdm-stream', stage: 'all', configRefs };

    expect(alarmsOf(manifest, values).map(inWords).sort()).toEqual(
      Object.values(alarmResources(deployment))
        .map(({ Properties }) => inWords(Properties))
        .sort(),
    );
  });

  it('makes no alarm of functions none of which it deploys', () => {
    const isBeside = (name?: string) => name === 'stream-xadd';

    const alarms = JSON.stringify(alarmsOf(manifest, { ...USUAL, configRefs: ['default'] }, isBeside));

    expect(alarms).toContain('serverFailures');
    expect(alarms).toContain('stream-xadd');
    expect(alarms).not.toContain('mdm-master-read');
    expect(alarms).not.toContain('MdmStreamFunctions/Consumer');
  });

  /** The id of the API, and the name of the queue, have no value in a manifest. */
  const inWords = (properties: object) =>
    JSON.stringify(properties).replaceAll(/\{"(Ref|Fn::GetAtt)":.*?\}|"\{(HttpApi|Queue)\}"/g, '"…"');
});
