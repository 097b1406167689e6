import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parseDocument, visit, type ScalarTag } from 'yaml';
import { readParameters } from '#deploy/read-parameters.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import type { Template } from '../../support/aws/packaged-template.ts';
import { specFaults } from '../../support/aws/template-rules.ts';

/** CloudFormation's short forms: `!Ref x` for `{"Ref": "x"}`. */
function readTemplate(path: string): Template {
  const names = ['Ref', 'Sub', 'GetAtt', 'Join', 'Equals', 'If', 'Not'];
  const customTags = names.map((name): ScalarTag => ({
    tag: `!${name}`,
    resolve: (text: string) => ({ [longName(name)]: text }),
  }));
  const lists = names.map((name) => ({
    tag: `!${name}`,
    collection: 'seq' as const,
    resolve: (node: unknown) => node as never,
  }));
  const document = parseDocument(readFileSync(path, 'utf8'), { customTags: [...customTags, ...lists] });
  expect(document.errors).toEqual([]);
  visit(document, {
    Seq: (_, node) => (node.tag?.startsWith('!') ? document.createNode({ 'Fn::Join': ['', []] }) : undefined),
  });
  return document.toJS() as Template;
}
const longName = (name: string) => (name === 'Ref' ? name : `Fn::${name}`);

it("the ElastiCache example conforms to AWS's specification", () => {
  const template = readTemplate('docs/examples/elasticache.yml');

  expect(Object.values(template.Resources).map(({ Type }) => Type)).toContain('AWS::ElastiCache::ServerlessCache');
  expect(specFaults(template)).toEqual([]);
});

it("the ElastiCache example's outputs are parameters of a deployment", () => {
  const arns = ['serverlesscache:mdm-stream', 'user:mdm-stream-functions'].map(
    (resource) => `arn:aws:elasticache:eu-central-1:123456789012:${resource}`,
  );
  const { Outputs } = readTemplate('docs/examples/elasticache.yml');
  const named = Object.values(Outputs).flatMap((output) => /Parameter (\w+)/.exec(JSON.stringify(output))?.[1] ?? []);
  const values: Record<string, string> = {
    vpcSubnetIds: 'subnet-0a1b2c3d',
    vpcSecurityGroupIds: 'sg-0a1b2c3d',
    redisIamArns: arns.join(','),
  };

  expect(named.sort()).toEqual(Object.keys(values).sort());
  const commandLine = named.map((name) => `${name}=${values[name]}`);
  expect(readParameters({ service: 's', stage: 'prod', commandLine, blocks: {} })).toMatchObject({
    redisIamArns: arns,
  });
});

describe("the ElastiCache example's cache", () => {
  const { Resources } = readTemplate('docs/examples/elasticache.yml');

  it('the ElastiCache example limits memory and processing', () => {
    expect(Resources.Cache!.Properties.CacheUsageLimits).toEqual({
      DataStorage: { Maximum: { Ref: 'MaximumDataGb' }, Unit: 'GB' },
      ECPUPerSecond: { Maximum: { Ref: 'MaximumEcpuPerSecond' } },
    });
  });

  it('the ElastiCache example has alarms on memory, evictions and throttled commands', () => {
    const alarms = Object.values(Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
    const names = alarms.map(({ Properties }) => /"MetricName":"(\w+)"/.exec(JSON.stringify(Properties))?.[1]);

    expect(names).toEqual(['BytesUsedForCache', 'Evictions', 'ThrottledCmds']);
    for (const { Properties } of alarms) expect(Properties).toMatchObject({ TreatMissingData: 'notBreaching' });
  });
});

describe("the ElastiCache example's network", () => {
  const { Resources, Parameters } = readTemplate('docs/examples/elasticache.yml') as Template & {
    Parameters: Record<string, { Default?: unknown }>;
  };
  const ofNetwork = Object.entries(Resources).filter(([id]) => id.includes('Endpoint'));

  it('the ElastiCache example has endpoints only on request', () => {
    expect(Parameters.CreateEndpoints!.Default).toBe('false');
    expect(ofNetwork.map(([id]) => id).sort()).toEqual([
      'EndpointsSecurityGroup',
      'LambdaEndpoint',
      'SecretsManagerEndpoint',
    ]);
    for (const [, resource] of ofNetwork) expect(resource).toMatchObject({ Condition: 'HasEndpoints' });
  });

  it("the ElastiCache example's endpoints accept the whole VPC", () => {
    expect(Resources.EndpointsSecurityGroup!.Properties.SecurityGroupIngress).toEqual([
      { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp: { Ref: 'VpcCidr' } },
    ]);
  });

  it('the ElastiCache example keeps daily snapshots', () => {
    expect(Resources.Cache!.Properties).toMatchObject({ SnapshotRetentionLimit: { Ref: 'SnapshotRetentionLimit' } });
    expect(Parameters.SnapshotRetentionLimit!.Default).toBe(7);
  });
});

it('the users in docs/redis.md have rights that a real server knows', async () => {
  const page = readFileSync('docs/redis.md', 'utf8');
  const server = await startRedisServer();

  for (const [, words] of page.matchAll(/^ACL SETUSER (\w+ on >password .*)$/gm)) {
    expect(await server.command('ACL', 'SETUSER', ...words!.split(' '))).toBe('OK');
  }

  await server.stop();
});
