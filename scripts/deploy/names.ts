import { createHash } from 'node:crypto';
import type { Deployment } from './parameters.ts';

/* Names of what is deployed. Roles and schedules have none of their own: CloudFormation makes one that fits. */

/** The stage of the local stack: its functions are never deployed. */
export const LOCAL_STAGE = 'local';

/** The function's name in AWS. */
export const functionName = ({ service, stage }: Pick<Deployment, 'service' | 'stage'>, name: string) =>
  `${service}-${stage}-${name}`;

/** What its resources are called in the template: `stream-xadd` → `StreamXadd`. */
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

/** ARN of a function of the stack, which no new version of its code changes. */
export const functionArn = (name: string) => ({ 'Fn::GetAtt': [functionLogicalId(name), 'Arn'] });

/** An ARN in this account and region: `arnOf('lambda', 'function:x')`. */
export const arnOf = (service: string, resource: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`,
});

/** Stands for a configRef in a logical id, which may hold no hyphens. */
export const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
