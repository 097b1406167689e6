import { loadAwsServiceSpec } from '@aws-cdk/aws-service-spec';
import type { Property, PropertyType, SpecDatabase } from '@aws-cdk/service-spec-types';
import { iamOf } from './iam.ts';
import type { Template } from './packaged-template.ts';

/*
 * What CloudFormation and AWS would refuse of a template, or take and then not do: each rule gives its faults, so that
 * faults can be planted and seen. Names, types and required properties are those of AWS's own specification.
 */

type Properties = Record<string, Property>;

const spec = await loadAwsServiceSpec();
const INTRINSIC = ['Ref', 'Fn::GetAtt', 'Fn::Sub', 'Fn::Join'];
/** Names with a limit that the specification does not hold. */
const NAME_LIMITS: Record<string, [string, number]> = {
  'AWS::Lambda::Function': ['FunctionName', 64],
  'AWS::IAM::Role': ['RoleName', 64],
  'AWS::Scheduler::Schedule': ['Name', 64],
  'AWS::SQS::Queue': ['QueueName', 80],
};

/** Every fault of a packaged template. */
export function faultsOf(template: Template, region = 'eu-central-1'): string[] {
  return [
    ...specFaults(template),
    ...limitFaults(template),
    ...referenceFaults(template),
    ...triggerFaults(template, region),
  ];
}

/** What AWS's specification says against the resources of a template. */
export function specFaults({ Resources }: Pick<Template, 'Resources'>): string[] {
  return Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
    const [known] = spec.lookup('resource', 'cloudFormationType', 'equals', Type);
    return known ? checkObject(Properties, known.properties, id, spec) : [`${id}: ${Type} is no type of resource`];
  });
}

function checkObject(value: object, properties: Properties, path: string, db: SpecDatabase): string[] {
  const missing = Object.keys(properties).filter((name) => properties[name]!.required && !(name in value));
  return [
    ...missing.map((name) => `${path} lacks ${name}`),
    ...Object.entries(value).flatMap(([name, inner]) =>
      properties[name]
        ? checkValue(inner, properties[name].type, `${path}.${name}`, db)
        : [`${path}.${name} is not known`],
    ),
  ];
}

function checkValue(value: unknown, type: PropertyType, path: string, db: SpecDatabase): string[] {
  if (isIntrinsic(value)) return [];
  const wrong = [`${path} is no ${type.type}`];
  switch (type.type) {
    case 'ref':
      return isObject(value)
        ? checkObject(value, db.get('typeDefinition', type.reference.$ref).properties, path, db)
        : wrong;
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, at) => checkValue(item, type.element, `${path}[${at}]`, db))
        : wrong;
    case 'map':
      return isObject(value)
        ? Object.entries(value).flatMap(([name, item]) => checkValue(item, type.element, `${path}.${name}`, db))
        : wrong;
    case 'union': {
      const each = type.types.map((one) => checkValue(value, one, path, db));
      return each.find((faults) => faults.length === 0) ?? each[0]!;
    }
    case 'string':
    case 'integer':
    case 'number': {
      const isRight = type.type === 'integer' ? Number.isInteger(value) : typeof value === type.type;
      const { allowedValues } = type as { allowedValues?: unknown[] };
      return isRight && (allowedValues === undefined || allowedValues.includes(value)) ? [] : wrong;
    }
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong;
    default:
      return []; // json, tags and times: anything
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isIntrinsic = (value: unknown) =>
  isObject(value) && Object.keys(value).length === 1 && INTRINSIC.includes(Object.keys(value)[0]!);

function limitFaults({ Resources, Outputs }: Template): string[] {
  const names = Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
    const [property, most] = NAME_LIMITS[Type] ?? ['', Infinity];
    const name = Properties[property];
    return typeof name === 'string' && name.length > most ? [`${id}.${property} is longer than ${most}`] : [];
  });
  const count = Object.keys(Resources).length;
  return [
    ...names,
    ...(count > 500 ? [`${count} resources are more than 500`] : []),
    ...(Object.keys(Outputs).length > 200 ? ['more than 200 outputs'] : []),
    ...Object.keys(Resources).flatMap((id) => (/^[A-Za-z0-9]{1,255}$/.test(id) ? [] : [`${id} is no logical id`])),
  ];
}

/** References to resources that the template does not have. */
function referenceFaults(template: Template): string[] {
  const text = JSON.stringify([template.Resources, template.Outputs]);
  const references = [
    ...text.matchAll(/"Ref":"([^":]+)"/g),
    ...text.matchAll(/"Fn::GetAtt":\["([^"]+)"/g),
    ...text.matchAll(/"DependsOn":"([^"]+)"/g),
    ...[...text.matchAll(/"DependsOn":\[([^\]]+)\]/g)].flatMap(([, list]) => [...list!.matchAll(/"([^"]+)"/g)]),
  ];
  const missing = references.map(([, id]) => id!).filter((id) => !(id in template.Resources));
  return [...new Set(missing)].map((id) => `${id} is referred to, but is no resource`);
}

/** Schedules that may not invoke their target, functions that anyone may, and trust that is not used. */
function triggerFaults(template: Template, region: string): string[] {
  const iam = iamOf(template, region);
  const all = (type: string) => Object.entries(iam.resources).filter(([, { Type }]) => Type === type);
  const schedules = all('AWS::Scheduler::Schedule').flatMap(([id, { Properties }]) => {
    const { RoleArn, Arn } = Properties.Target;
    const group = iam.arnOf(String(Properties.GroupName).replace('ref-', ''));
    return [
      ...(iam.trusts(RoleArn, 'scheduler.amazonaws.com', undefined, group)
        ? []
        : [`${id}: the scheduler may not assume its role`]),
      ...(iam.allows(RoleArn, 'lambda:InvokeFunction', Arn) ? [] : [`${id}: its role may not invoke its target`]),
    ];
  });
  const scheduleRoles = all('AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties.Target.RoleArn);
  const functionRoles = all('AWS::Lambda::Function').map(([, { Properties }]) => Properties.Role);
  const roles = all('AWS::IAM::Role').flatMap(([id]) => {
    const arn = iam.arnOf(id);
    const unused = (service: string, used: string[]) =>
      iam.trusts(arn, service) && !used.includes(arn) ? [`${id} trusts ${service} for nothing`] : [];
    return [
      ...unused('scheduler.amazonaws.com', scheduleRoles),
      ...unused('lambda.amazonaws.com', functionRoles),
      ...(iam.trusts(arn, 'scheduler.amazonaws.com', undefined, 'another')
        ? [`${id} trusts the scheduler for any group of schedules`]
        : []),
      ...(iam.trusts(arn, 'scheduler.amazonaws.com', 'another') ? [`${id} trusts the scheduler of any account`] : []),
      ...iam
        .statementsOf(arn)
        .flatMap(({ Action, Resource }) =>
          [Resource].flat().includes('*') && ![Action].flat().every((action) => UNNARROWED.test(action))
            ? [`${id} may ${[Action].flat().join(', ')} on everything`]
            : [],
        ),
    ];
  });
  const unsigned = all('AWS::Lambda::Permission').flatMap(([id, { Properties }]) =>
    Properties.Principal === 'apigateway.amazonaws.com' && Properties.SourceArn ? [] : [`${id} lets others invoke`],
  );
  return [...schedules, ...roles, ...unsigned];
}

/** Rights that IAM cannot narrow to a resource: the network interfaces of a VPC, and X-Ray. */
const UNNARROWED =
  /^(ec2:(Create|Describe|Delete)NetworkInterfaces?|ec2:DescribeSubnets|ec2:(Una|A)ssignPrivateIpAddresses|xray:Put(TraceSegments|TelemetryRecords))$/;
