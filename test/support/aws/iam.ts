import type { Resource, Template } from './packaged-template.ts';

/*
 * As much of IAM and CloudFormation as it takes to say who may do what in a packaged template: intrinsic functions are
 * resolved for one account and region, then policies are evaluated. The one Deny that we write is for calls of a
 * function's own code, which none of these questions is about.
 */

const ACCOUNT = '123456789012';

interface Statement {
  Effect: string;
  Principal?: { Service?: string | string[] };
  Action: string | string[];
  Resource?: string | string[];
  Condition?: Record<string, Record<string, string>>;
}

export interface Iam {
  /** The template with its references resolved. */
  readonly resources: Record<string, Resource>;
  /** ARN of a resource by its logical id. */
  arnOf(logicalId: string): string;
  /** Statements of the role with this ARN. */
  statementsOf(roleArn: string): Statement[];
  /** Whether a role may do this on that resource. */
  allows(roleArn: string, action: string, resource: string): boolean;
  /** Whether a service may assume a role, called from this account, by the resource that `aws:SourceArn` names. */
  trusts(roleArn: string, service: string, account?: string, source?: string): boolean;
}

export function iamOf(template: Template, region = 'eu-central-1'): Iam {
  const pseudo: Record<string, string> = {
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::AccountId': ACCOUNT,
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': 'stack',
  };
  const arnOf = (logicalId: string): string => {
    const resource = template.Resources[logicalId];
    if (!resource) return `arn:aws:none::${ACCOUNT}:${logicalId}`;
    const { Type, Properties } = resource;
    if (Type === 'AWS::Lambda::Function') {
      return `arn:aws:lambda:${region}:${ACCOUNT}:function:${String(Properties.FunctionName)}`;
    }
    if (Type === 'AWS::Scheduler::ScheduleGroup') {
      return `arn:aws:scheduler:${region}:${ACCOUNT}:schedule-group/${String(Properties.Name)}`;
    }
    return `arn:aws:${Type.split('::')[1]!.toLowerCase()}:${region}:${ACCOUNT}:${logicalId}`;
  };
  const refOf = (name: string) => pseudo[name] ?? `ref-${name}`;
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    const [[name, value] = ['', undefined], ...rest] = Object.entries(node);
    if (rest.length === 0) {
      if (name === 'Ref') return refOf(value as string);
      if (name === 'Fn::GetAtt') {
        const [logicalId, attribute] = value as [string, string];
        return attribute === 'Arn' ? arnOf(logicalId) : `${logicalId}.${attribute}`;
      }
      if (name === 'Fn::Sub') return (value as string).replace(/\$\{([^}]+)\}/g, (_, key: string) => refOf(key));
      if (name === 'Fn::Join') {
        const [separator, parts] = resolve(value) as [string, string[]];
        return parts.join(separator);
      }
    }
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, resolve(inner)]));
  };
  const resources = resolve(template.Resources) as Record<string, Resource>;
  const roles = new Map(
    Object.entries(resources)
      .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
      .map(([logicalId, role]) => [arnOf(logicalId), role]),
  );
  const roleOf = (arn: string) => {
    const role = roles.get(arn);
    if (!role) throw new Error(`No role ${arn}`);
    return role;
  };
  const statementsOf = (arn: string) =>
    (roleOf(arn).Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[]).flatMap(
      ({ PolicyDocument }) => PolicyDocument.Statement,
    );
  return {
    resources,
    arnOf,
    statementsOf,
    allows: (arn, action, resource) =>
      statementsOf(arn).some(
        ({ Effect, Action, Resource }) =>
          Effect === 'Allow' && matchesAny(Action, action) && matchesAny(Resource ?? [], resource),
      ),
    trusts: (arn, service, account = ACCOUNT, source?) =>
      (roleOf(arn).Properties.AssumeRolePolicyDocument as { Statement: Statement[] }).Statement.some(
        ({ Principal, Condition }) =>
          [Principal?.Service ?? []].flat().includes(service) &&
          [undefined, account].includes(Condition?.StringEquals?.['aws:SourceAccount']) &&
          (source === undefined || [undefined, source].includes(Condition?.ArnEquals?.['aws:SourceArn'])),
      ),
  };
}

const matchesAny = (patterns: string | string[], text: string) =>
  [patterns].flat().some((pattern) => {
    const escaped = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${escaped}$`).test(text);
  });
