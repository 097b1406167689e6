import { describe, expect, it } from '@jest/globals';
import { furtherVariables } from '#deploy/environment.ts';
import { CORE } from '#deploy/parameters.ts';
import { readParameters } from '#deploy/read-parameters.ts';

const read = (commandLine: string[], blocks: Record<string, Record<string, unknown> | null> = {}, stage = 'prod') =>
  readParameters({ service: 'mdm-stream', stage, commandLine, blocks });

const VPC = ['vpcSubnetIds=subnet-0a1b2c3d', 'vpcSecurityGroupIds=sg-0a1b2c3d'];

describe("a stage block's tags", () => {
  it("a stage block's tags are names and values", () => {
    expect(read([], { prod: { tags: { team: 'master data', 'cost-center': 4711 } } }).tags).toEqual({
      team: 'master data',
      'cost-center': '4711',
    });
  });

  it.each([
    [{ 'aws:x': 'y' }, /tags\/aws:x must have 1 to 128 of AWS's characters, neither aws: nor/],
    [{ 'mdm-stream:stack': 'y' }, /tags\/mdm-stream:stack must have/],
    [{ team: 'a;b' }, /tags\/team must be text of 1 to 256 of AWS's characters/],
    [{ team: { name: 'a' } }, /tags\/team must be text/],
    [['team'], /tags must be an object/],
  ])("a stage block's tags are refused: %j", (tags, message) => {
    expect(() => read([], { prod: { tags } })).toThrow(message);
  });
});

const LAYER = 'arn:aws:lambda:eu-central-1:901920570463:layer:aws-otel-nodejs-arm64-ver-1-30-2:1';

describe("a stage block's environment", () => {
  it("a stage block's environment is names and values", () => {
    const environment = { OTEL_TRACES_SAMPLER: 'always_on', OTEL_BSP_SCHEDULE_DELAY: 500 };

    expect(read([], { prod: { environment } }).environment).toEqual({
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_BSP_SCHEDULE_DELAY: '500',
    });
  });

  it.each([
    [{ CONNECTOR_METRICS: 'off' }, /environment\/CONNECTOR_METRICS is set by the deployment or by Lambda/],
    [{ AWS_REGION: 'eu-west-1' }, /environment\/AWS_REGION is set by/],
    [{ LOG_LEVEL: 'debug' }, /environment\/LOG_LEVEL is set by/],
    [{ 'a-b': 'c' }, /environment\/a-b must have 2 to 128 letters/],
    [{ AB: null }, /environment\/AB must be a string/],
    [{ LONG: 'x'.repeat(3000) }, /environment is at most 3000 bytes/],
    ['A=b', /environment must be an object/],
  ])("a stage block's environment is refused: %j", (environment, message) => {
    expect(() => read([], { prod: { environment } })).toThrow(message);
  });
});

describe('the OpenTelemetry layer', () => {
  const wrapperOf = (otelLayerArn: string, environment = {}) =>
    furtherVariables(read([`otelLayerArn=${otelLayerArn}`], { prod: { environment } })).AWS_LAMBDA_EXEC_WRAPPER;

  it("functions start by the OpenTelemetry layer's wrapper, or by the one in the environment", () => {
    expect(wrapperOf(LAYER)).toBe('/opt/otel-handler');
    expect(wrapperOf('arn:aws:lambda:us-east-1:615299751070:layer:AWSOpenTelemetryDistroJs:9')).toBe(
      '/opt/otel-instrument',
    );
    expect(wrapperOf(LAYER, { AWS_LAMBDA_EXEC_WRAPPER: '/opt/mine' })).toBe('/opt/mine');
    expect(furtherVariables(read([]))).not.toHaveProperty('AWS_LAMBDA_EXEC_WRAPPER');
  });
});

describe("a deployment's parameters", () => {
  it("a deployment's parameters have the documented defaults", () => {
    expect(read([])).toMatchObject({
      secretPrefix: 'mdm-stream/prod/',
      authorizer: 'iam',
      consumers: 1,
      consumerRate: 'rate(1 minute)',
      configRefs: ['default'],
      consumerTargets: ['mdm-stream-prod-target-*'],
      operations: ['*'],
      schedules: [],
      sharedSession: false,
      publicDocs: false,
      tracing: false,
      logLevel: 'info',
      logRetentionInDays: 30,
      throttleRate: 100,
      throttleBurst: 200,
    });
  });

  it('the defaults retain logs and protect the stack, except in dev', () => {
    expect(read([])).toMatchObject({ keepLogs: true, terminationProtection: true });
    expect(read([], {}, 'dev')).toMatchObject({ keepLogs: false, terminationProtection: false });
    expect(read(['keepLogs=on'], {}, 'dev')).toMatchObject({ keepLogs: true });
  });

  it('parameters come from the command line, then the stage, then the default block', () => {
    const blocks = { default: { consumers: 2, logLevel: 'warn' }, prod: { consumers: 3, tracing: true } };

    expect(read([], blocks)).toMatchObject({ consumers: 3, logLevel: 'warn', tracing: true });
    expect(read(['consumers=4'], blocks)).toMatchObject({ consumers: 4 });
    expect(read([], blocks, 'dev')).toMatchObject({ consumers: 2, tracing: false });
  });

  it.each([
    ['consumers=0', /consumers must be at least 1$/],
    ['consumers=abc', /consumers must be an integer$/],
    ['consumers=100000', /consumers must be at most 50$/],
    ['consumerRate=rate(1 minutes)', /consumerRate must be rate\(1 minute\)/],
    ['authorizer=', /authorizer must be one of iam, jwt, none/],
    ['authorizer=aws_iam', /authorizer must be one of iam, jwt, none/],
    ['authorizer=none', /authorizer=none lets anyone in .*: give defaultEndpoint=off, .* or confirm it/],
    ['defaultEndpoint=no', /defaultEndpoint must be on or off/],
    ['apiReservedConcurrency=1001', /apiReservedConcurrency must be at most 1000/],
    ['authorizer=jwt', /authorizer=jwt needs jwtIssuer and jwtAudience/],
    ['jwtIssuer=https://idp.example', /allowed with authorizer=jwt only/],
    ['shards=4', /shards is not known: allowed are secretPrefix, /],
    ['vpc=x', /vpc is not known/],
    ['vpcSubnetIds=10.0.0.0/8', /vpcSubnetIds\/0 must be subnet-…/],
    ['vpcSubnetIds=subnet-0a1b2c3d', /vpcSubnetIds and vpcSecurityGroupIds are given together/],
    ['configRefs=a,a', /configRefs must not have an item twice/],
    ['configRefs=Default', /configRefs\/0 must be a configRef: 1 to 64/],
    ['consumerTargets=*', /consumerTargets\/0 must be a function name/],
    ['consumerTargets=*a*', /consumerTargets\/0 must be .* after the first three of a name/],
    ['consumerTargets=*-target', /consumerTargets\/0 must be/],
    ['consumerTargets=arn:aws:lambda:eu-central-1:123456789012:function:a*', /consumerTargets\/0 must be/],
    ['jwtScopes=mdm', /jwtIssuer, jwtAudience and jwtScopes are allowed with authorizer=jwt only/],
    ['permissionsBoundary=mdm-stream-boundary', /permissionsBoundary must be the ARN of an IAM policy/],
    ['monitoring=some', /monitoring must be one of off, basic, full/],
    ['logKmsKeyArn=alias/x', /logKmsKeyArn must be the ARN of a KMS key/],
    ['consumerReservedConcurrency=-1', /consumerReservedConcurrency must be at least 0/],
    ['tags=team=x', /tags is allowed in the parameters file only/],
    ['consumerTargets=arn:aws:lambda:eu-central-1:123456789012:function:*', /consumerTargets\/0 must be/],
    ['operations=mdm-raed', /operations: mdm-raed is the name of no function/],
    ['logRetentionInDays=31', /logRetentionInDays must be one of 1, 3, 5/],
    ['logLevel=verbose', /logLevel must be one of debug, info, warn, error/],
    ['deadLetterTopicArn=letters.fifo', /deadLetterTopicArn must be the ARN of an SNS topic or of an event bus/],
    ['otelLayerArn=aws-otel-nodejs', /otelLayerArn must be the ARN of a version of a Lambda layer/],
    [`layers=${[1, 2, 3, 4, 5, 6].map((n) => LAYER + n).join()}`, /layers must have at most 5 items/],
    ['tracing=yes', /tracing must be on or off/],
    ['kmsKeyArn=alias/x', /kmsKeyArn must be/],
    ['alarmTopicArn=on-call', /alarmTopicArn must be/],
    ['corsOrigins=app.example', /corsOrigins\/0 must be an origin/],
    ['secretPrefix=*', /secretPrefix must be/],
    ['throttleRate=0', /throttleRate must be at least 1/],
    ['schedules=x', /schedules is allowed in the parameters file only/],
  ])('a deployment refuses %s and says what is allowed', (pair, message) => {
    expect(() => read([pair])).toThrow(message);
  });

  it.each([null, '', {}, []])('a stage block refuses an authorizer of %j: "none" must be spelled out', (authorizer) => {
    expect(() => read([], { prod: { authorizer } })).toThrow(/authorizer must be one of/);
  });

  it("all of a deployment's faults are reported at once", () => {
    expect(() => read(['consumers=0', 'tracing=x', 'nope=1'])).toThrow(
      /(?=[^]*nope is not known)(?=[^]*consumers must)[^]*tracing must/,
    );
  });

  it.each(['-x', 'Prod', 'a_b', 'a23456789012345678901'])(
    'a deployment refuses the stage %s, whose names would be too long',
    (stage) => {
      expect(() => read([], {}, stage)).toThrow(/stage must be 1 to 20/);
    },
  );

  it('a deployment limits schedules to what a template can hold', () => {
    expect(() => read(['consumers=50', 'configRefs=a,b', 'operations=core'])).toThrow(/together are at most 80/);
    expect(read(['consumers=40', 'configRefs=a,b', 'operations=core'])).toMatchObject({ consumers: 40 });
  });

  it.each([
    [
      [`otelLayerArn=${LAYER}`, `layers=${[1, 2, 3, 4, 5].map((n) => LAYER + n).join()}`],
      /otelLayerArn and layers together are at most 5/,
    ],
    [['consumers=20', 'consumerReservedConcurrency=10'], /is at least consumers × configRefs, 20, and more/],
    [
      [`configRefs=${Array.from({ length: 78 }, (_, at) => `c${at}`).join()}`],
      /would have \d+ resources, and CloudFormation allows 500/,
    ],
  ])('a deployment refuses %j before anything is packaged', (commandLine, message) => {
    expect(() => read(commandLine)).toThrow(message);
  });

  it.each([['defaultEndpoint=off'], ['defaultEndpoint=on'], ['httpApi=off']])(
    'a deployment opens the API to anyone only if that is confirmed, or there is nothing to open: %s',
    (more) => {
      expect(read(['authorizer=none', more])).toMatchObject({ authorizer: 'none' });
    },
  );

  it('a reserved concurrency of 0 stops the consumer', () => {
    expect(read(['consumerReservedConcurrency=0'])).toMatchObject({ consumerReservedConcurrency: 0 });
  });

  it('operations=core deploys twelve functions, plus any named with it', () => {
    expect(read(['operations=core']).operations).toHaveLength(12);
    expect(read(['operations=core,stream-xadd']).operations).toEqual([...CORE, 'stream-xadd']);
  });

  it('a stage block may hold lists, and all that a VPC needs', () => {
    expect(read(VPC, { prod: { configRefs: ['default', 'emea'] } })).toMatchObject({
      configRefs: ['default', 'emea'],
      vpcSubnetIds: ['subnet-0a1b2c3d'],
    });
  });

  it("a schedule's input is checked against its operation's contract", () => {
    const schedule = (more: object) => () =>
      read([], { prod: { schedules: [{ operation: 'stream-xtrim', rate: 'rate(1 hour)', ...more }] } });
    const input = { key: 'audit', evictionOption: { maxLength: 1000 } };

    expect(schedule({ input })().schedules).toEqual([{ operation: 'stream-xtrim', rate: 'rate(1 hour)', input }]);
    expect(schedule({ input: { keey: 'audit' } })).toThrow(/schedules\/0\/input\/keey is not known/);
    expect(schedule({ input, operation: 'stream-xtrimm' })).toThrow(
      /schedules\/0\/operation must be the name of an operation/,
    );
    expect(schedule({ input, rate: 'hourly' })).toThrow(/schedules\/0\/rate must be rate/);
    expect(schedule({ input, cron: 'x' })).toThrow(
      /schedules\/0\/cron is not known: allowed are operation, rate, input/,
    );
  });
});
