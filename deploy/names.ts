import { createHash } from 'node:crypto';
import type { Deployment } from './parameters.ts';

/* Names of deployed resources. CloudFormation chooses those of roles and schedules. */

/** The stage of the local stack, which is never deployed. */
export const LOCAL_STAGE = 'local';

/** The function's name in AWS. */
export const functionName = ({ service, stage }: Pick<Deployment, 'service' | 'stage'>, name: string) =>
  `${service}-${stage}-${name}`;

/** Name of its resources in the template: `stream-xadd` → `StreamXadd`. */
export const logicalName = (name: string) =>
  name
    .split('-')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

/** Logical id that the framework gives to a function. */
export const functionLogicalId = (name: string) =>
  `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('-', 'Dash')}LambdaFunction`;

/** Logical id that the framework gives to the log group of a function. */
export const logGroupLogicalId = (name: string) => functionLogicalId(name).replace(/LambdaFunction$/, 'LogGroup');

export const roleLogicalId = (name: string) => `${logicalName(name)}Role`;

/** ARN of a function of the stack, without a version. */
export const functionArn = (name: string) => ({ 'Fn::GetAtt': [functionLogicalId(name), 'Arn'] });

/** An ARN in this account and region: `arnOf('lambda', 'function:x')`. */
export const arnOf = (service: string, resource: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`,
});

/** Replaces a configRef in a logical id, which allows no hyphens. */
export const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
