import { describe, expect, it } from '@jest/globals';
import { CORE } from '#deploy/parameters.ts';
import { readParameters } from '#deploy/read-parameters.ts';

const read = (commandLine: string[], blocks: Record<string, Record<string, unknown> | null> = {}, stage = 'prod') =>
  readParameters({ service: 'mdm-stream', stage, commandLine, blocks });

const VPC = ['vpcSubnetIds=subnet-0a1b2c3d', 'vpcSecurityGroupIds=sg-0a1b2c3d'];

describe('the tags of a stage block', () => {
  it('are names and values', () => {
    expect(read([], { prod: { tags: { team: 'master data', 'cost-center': 4711 } } }).tags).toEqual({
      team: 'master data',
      'cost-center': '4711',
    });
  });

  it.each([
    [{ 'aws:x': 'y' }, /tags: the name aws:x is not allowed/],
    [{ 'mdm-stream:stack': 'y' }, /tags: the name mdm-stream:stack is not allowed/],
    [{ team: 'a;b' }, /tags.team is not allowed/],
    [{ team: { name: 'a' } }, /tags.team is not allowed/],
    [['team'], /tags is allowed in the parameters file only: an object/],
  ])('are refused: %j', (tags, message) => {
    expect(() => read([], { prod: { tags } })).toThrow(message);
  });
});

describe('the parameters of a deployment', () => {
  it('have the documented defaults', () => {
    expect(read([])).toMatchObject({
      ...{ secretPrefix: 'mdm-stream/prod/', authorizer: 'iam', consumers: 1, consumerRate: 'rate(1 minute)' },
      ...{ configRefs: ['default'], consumerTargets: ['mdm-stream-prod-target-*'], operations: ['*'], schedules: [] },
      ...{ sharedSession: false, publicDocs: false, tracing: false, logLevel: 'info', logRetentionInDays: 30 },
      ...{ throttleRate: 100, throttleBurst: 200 },
    });
  });

  it('keep logs and the stack itself, except in dev', () => {
    expect(read([])).toMatchObject({ keepLogs: true, terminationProtection: true });
    expect(read([], {}, 'dev')).toMatchObject({ keepLogs: false, terminationProtection: false });
    expect(read(['keepLogs=on'], {}, 'dev')).toMatchObject({ keepLogs: true });
  });

  it('are taken from the command line before the stage, and from the stage before the default block', () => {
    const blocks = { default: { consumers: 2, logLevel: 'warn' }, prod: { consumers: 3, tracing: true } };

    expect(read([], blocks)).toMatchObject({ consumers: 3, logLevel: 'warn', tracing: true });
    expect(read(['consumers=4'], blocks)).toMatchObject({ consumers: 4 });
    expect(read([], blocks, 'dev')).toMatchObject({ consumers: 2, tracing: false });
  });

  it.each([
    ['consumers=0', /consumers is not allowed: an integer from 1 to 50/],
    ['consumers=abc', /consumers is not allowed/],
    ['consumers=100000', /consumers is not allowed/],
    ['consumerRate=rate(1 minutes)', /consumerRate is not allowed: rate\(1 minute\)/],
    ['authorizer=', /authorizer is not allowed: iam, jwt or none/],
    ['authorizer=aws_iam', /authorizer is not allowed: iam, jwt or none/],
    ['authorizer=jwt', /authorizer=jwt needs jwtIssuer and jwtAudience/],
    ['jwtIssuer=https://idp.example', /allowed with authorizer=jwt only/],
    ['shards=4', /shards is no parameter; there are: secretPrefix, /],
    ['vpc=x', /vpc is no parameter/],
    ['vpcSubnetIds=10.0.0.0/8', /vpcSubnetIds is not allowed: a comma list of subnet-/],
    ['vpcSubnetIds=subnet-0a1b2c3d', /vpcSubnetIds and vpcSecurityGroupIds are given together/],
    ['configRefs=a,a', /configRefs is not allowed/],
    ['configRefs=Default', /configRefs is not allowed/],
    ['consumerTargets=*', /consumerTargets is not allowed/],
    ['consumerTargets=*a*', /consumerTargets is not allowed: .* after the first three of a name/],
    ['consumerTargets=*-target', /consumerTargets is not allowed/],
    ['consumerTargets=arn:aws:lambda:eu-central-1:123456789012:function:a*', /consumerTargets is not allowed/],
    ['jwtScopes=mdm', /jwtIssuer, jwtAudience and jwtScopes are allowed with authorizer=jwt only/],
    ['permissionsBoundary=mdm-stream-boundary', /permissionsBoundary is not allowed: the ARN of an IAM policy/],
    ['monitoring=some', /monitoring is not allowed: off, basic or full/],
    ['logKmsKeyArn=alias/x', /logKmsKeyArn is not allowed/],
    ['consumerReservedConcurrency=-1', /consumerReservedConcurrency is not allowed/],
    ['tags=team=x', /tags is allowed in the parameters file only/],
    ['consumerTargets=arn:aws:lambda:eu-central-1:123456789012:function:*', /consumerTargets is not allowed/],
    ['operations=mdm-raed', /operations: mdm-raed is the name of no function/],
    ['logRetentionInDays=31', /logRetentionInDays is not allowed: one of 1, 3, 5/],
    ['logLevel=verbose', /logLevel is not allowed: debug, info, warn or error/],
    ['tracing=yes', /tracing is not allowed: on or off/],
    ['kmsKeyArn=alias/x', /kmsKeyArn is not allowed/],
    ['alarmTopicArn=on-call', /alarmTopicArn is not allowed/],
    ['corsOrigins=app.example', /corsOrigins is not allowed/],
    ['secretPrefix=*', /secretPrefix is not allowed/],
    ['throttleRate=0', /throttleRate is not allowed/],
    ['schedules=x', /schedules is allowed in the parameters file only/],
  ])('refuse %s with what is allowed', (pair, message) => {
    expect(() => read([pair])).toThrow(message);
  });

  it.each([null, '', {}, []])(
    'refuse an authorizer of %j in a stage block: none has to be spelled out',
    (authorizer) => {
      expect(() => read([], { prod: { authorizer } })).toThrow(/authorizer is not allowed/);
    },
  );

  it('are all checked at once', () => {
    expect(() => read(['consumers=0', 'tracing=x', 'nope=1'])).toThrow(/nope is no[\s\S]*consumers[\s\S]*tracing/);
  });

  it.each(['-x', 'Prod', 'a_b', 'a23456789012345678901'])('refuse the stage %s, whose names would not fit', (stage) => {
    expect(() => read([], {}, stage)).toThrow(/stage is not allowed: 1 to 20/);
  });

  it('keep schedules below what a template holds', () => {
    expect(() => read(['consumers=50', 'configRefs=a,b'])).toThrow(/together are at most 80/);
    expect(read(['consumers=40', 'configRefs=a,b'])).toMatchObject({ consumers: 40 });
  });

  it.each([
    [['consumers=20', 'consumerReservedConcurrency=10'], /is at least consumers × configRefs, 20, and more/],
    [
      [`configRefs=${Array.from({ length: 78 }, (_, at) => `c${at}`).join()}`],
      /would have \d+ resources, and CloudFormation allows 500/,
    ],
  ])('refuse %j before anything is packaged', (commandLine, message) => {
    expect(() => read(commandLine)).toThrow(message);
  });

  it('stop the consumer with a reserved concurrency of 0', () => {
    expect(read(['consumerReservedConcurrency=0'])).toMatchObject({ consumerReservedConcurrency: 0 });
  });

  it('deploy a dozen functions with operations=core, and more beside them', () => {
    expect(read(['operations=core']).operations).toHaveLength(12);
    expect(read(['operations=core,stream-xadd']).operations).toEqual([...CORE, 'stream-xadd']);
  });

  it('take lists of a stage block, and everything that a VPC needs', () => {
    expect(read(VPC, { prod: { configRefs: ['default', 'emea'] } })).toMatchObject({
      configRefs: ['default', 'emea'],
      vpcSubnetIds: ['subnet-0a1b2c3d'],
    });
  });

  it('check the input of a further schedule against the contract of its operation', () => {
    const schedule = (more: object) => () =>
      read([], { prod: { schedules: [{ operation: 'stream-xtrim', rate: 'rate(1 hour)', ...more }] } });
    const input = { key: 'audit', evictionOption: { maxLength: 1000 } };

    expect(schedule({ input })().schedules).toEqual([{ operation: 'stream-xtrim', rate: 'rate(1 hour)', input }]);
    expect(schedule({ input: { keey: 'audit' } })).toThrow(/schedules\[0\]\.input\/keey is not known/);
    expect(schedule({ input, operation: 'stream-xtrimm' })).toThrow(/schedules\[0\]\.operation is not allowed/);
    expect(schedule({ input, rate: 'hourly' })).toThrow(/schedules\[0\]\.rate is not allowed/);
    expect(schedule({ input, cron: 'x' })).toThrow(/unknown member cron/);
  });
});
