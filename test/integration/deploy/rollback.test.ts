import { loadAwsServiceSpec } from '@aws-cdk/aws-service-spec';
import { describe, expect, it } from '@jest/globals';
import { packageStage, type Resource, type Template } from '../../support/aws/packaged-template.ts';
import * as release from '../../support/releases/1.0.0.ts';

/*
 * An upgrade from 1.0.0, and the way back, as CloudFormation carries them out: a resource is updated, replaced, added
 * or removed. Which properties replace a resource is AWS's own specification.
 */

const spec = await loadAwsServiceSpec();
const today = await packageStage({ stage: 'prod', file: release.GIVEN });

/** Properties that name a resource. Two of one name cannot exist side by side, so a replacement fails. */
const NAMES = ['FunctionName', 'LogGroupName', 'RoleName', 'QueueName', 'BucketName', 'DashboardName', 'AlarmName'];
/** What holds data, or its address. */
const HOLDS_DATA = ['AWS::Logs::LogGroup', 'AWS::SQS::Queue', 'AWS::S3::Bucket', 'AWS::ApiGatewayV2::Api'];

const nameOf = ({ Type, Properties }: Resource) =>
  NAMES.map((name) => Properties[name]).find((name) => typeof name === 'string') ??
  (/ScheduleGroup/.test(Type) ? Properties.Name : undefined);

/** Resources that a change replaces. */
function replaced(from: Template, to: Template): string[] {
  return Object.entries(from.Resources).flatMap(([id, { Type, Properties: before }]) => {
    const next = to.Resources[id];
    if (!next) return [];
    if (next.Type !== Type) return [id];
    const [known] = spec.lookup('resource', 'cloudFormationType', 'equals', Type);
    const names = Object.keys({ ...before, ...next.Properties });
    const isReplaced = names.some(
      (name) =>
        known!.properties[name]?.causesReplacement === 'yes' &&
        JSON.stringify(before[name]) !== JSON.stringify(next.Properties[name]),
    );
    return isReplaced ? [id] : [];
  });
}

const removed = (from: Template, to: Template) =>
  Object.entries(from.Resources).filter(([id]) => !(id in to.Resources));

describe.each([
  ['an upgrade from 1.0.0', release.template, today],
  ['a rollback to 1.0.0', today, release.template],
])('%s with the same parameters', (_, from, to) => {
  it('an upgrade or rollback replaces no resource that has a fixed name or holds data', () => {
    const named = replaced(from, to).filter(
      (id) => nameOf(from.Resources[id]!) !== undefined || HOLDS_DATA.includes(from.Resources[id]!.Type),
    );

    expect(named).toEqual([]);
  });

  it('an upgrade or rollback removes no log group, queue, bucket or API', () => {
    const lost = removed(from, to).filter(
      ([, resource]) => HOLDS_DATA.includes(resource.Type) && !resource.DeletionPolicy?.startsWith('Retain'),
    );

    expect(lost.map(([id]) => id)).toEqual([]);
  });

  it('an upgrade or rollback moves no resource name to another logical id', () => {
    const idsByName = (template: Template) =>
      new Map(Object.entries(template.Resources).map(([id, one]) => [`${one.Type} ${String(nameOf(one))}`, id]));
    const before = idsByName(from);
    const moved = [...idsByName(to)].filter(
      ([name, id]) => !name.endsWith('undefined') && before.has(name) && before.get(name) !== id,
    );

    expect(moved).toEqual([]);
  });

  it('an upgrade or rollback keeps the network, boundaries, topics and keys that parameters set', () => {
    const having = ({ Resources }: Template, property: string) =>
      Object.entries(Resources)
        .filter(([, { Properties }]) => property in Properties)
        .map(([id]) => id);

    for (const property of ['VpcConfig', 'PermissionsBoundary', 'AlarmActions', 'KmsKeyId', 'Tags']) {
      const kept = having(from, property).filter((id) => id in to.Resources);
      expect([property, kept.filter((id) => !having(to, property).includes(id))]).toEqual([property, []]);
      expect(kept.length).toBeGreaterThan(0);
    }
  });
});

it('a changed name is found as a replacement', () => {
  const renamed = structuredClone(today);
  renamed.Resources.StreamDashxaddLogGroup!.Properties.LogGroupName = 'another';

  expect(replaced(today, renamed)).toEqual(['StreamDashxaddLogGroup']);
});
