import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { PARAMETER_NAMES } from '#deploy/parameters.ts';

/** Names in code of a guide. */
const namedIn = (guide: string) =>
  [...readFileSync(`docs/guides/${guide}.md`, 'utf8').matchAll(/`(\w+)`/g)].map(([, name]) => name!);
const inCamelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

it('the CDK guide names each parameter that the construct does not take', () => {
  const construct = readFileSync('deploy/cdk/index.ts', 'utf8');
  const taken = [...construct.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name!);
  const named = namedIn('cdk');

  expect(taken).toEqual(expect.arrayContaining(['otelLayerArn', 'layers', 'environment', 'deadLetterTopicArn']));
  expect(PARAMETER_NAMES.filter((name) => !taken.includes(name) && !named.includes(name))).toEqual([]);
});

it('the Terraform guide names each parameter that the module does not take', () => {
  const variables = readFileSync('terraform/variables.tf', 'utf8');
  const taken = [...variables.matchAll(/^variable "(\w+)"/gm)].map(([, name]) => inCamelCase(name!));
  const ofNetwork = ['vpcSubnetIds', 'vpcSecurityGroupIds']; // subnet_ids and security_group_ids
  const known = [...taken, ...ofNetwork, ...namedIn('terraform')];

  expect(taken).toEqual(expect.arrayContaining(['otelLayerArn', 'layers', 'environment', 'deadLetterTopicArn']));
  expect(PARAMETER_NAMES.filter((name) => !known.includes(name))).toEqual([]);
});
