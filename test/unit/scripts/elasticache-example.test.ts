import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parseDocument, visit, type ScalarTag } from 'yaml';
import { readParameters } from '../../../scripts/deploy/read-parameters.ts';
import type { Template } from '../../support/packaged-template.ts';
import { specFaults } from '../../support/template-rules.ts';

/** CloudFormation's short forms: `!Ref x` for `{"Ref": "x"}`. */
function readTemplate(path: string): Template {
  const names = ['Ref', 'Sub', 'GetAtt', 'Join'];
  const customTags = names.map((name): ScalarTag => ({
    tag: `!${name}`,
    resolve: (text: string) => ({ [longName(name)]: text }),
  }));
  const lists = names.map((name) => ({
    ...{ tag: `!${name}`, collection: 'seq' as const },
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

it("the example of ElastiCache fits AWS's specification", () => {
  const template = readTemplate('docs/examples/elasticache.yml');

  expect(Object.values(template.Resources).map(({ Type }) => Type)).toContain('AWS::ElastiCache::ServerlessCache');
  expect(specFaults(template)).toEqual([]);
});

it('its outputs are parameters of the deployment', () => {
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
