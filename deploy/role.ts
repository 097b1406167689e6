import type { Deployment } from './parameters.ts';
import type { TemplateResource } from './tags.ts';

/** A statement of an IAM policy. */
export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: object;
}

export const allow = (Action: Statement['Action'], Resource: unknown, Condition?: object): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...(Condition && { Condition }),
});

interface Role {
  /** Who has the role. */
  readonly who: string;
  /** The service that assumes it. */
  readonly principal: string;
  /** When it may do so. Default: always. */
  readonly condition?: object;
  /** Name of its policy. */
  readonly policy: string;
  readonly statements: readonly Statement[];
}

/** A role with one policy, and with the permissions boundary of the deployment. */
export function roleOf(
  { permissionsBoundary }: Deployment,
  { who, principal, condition, policy, statements }: Role,
): TemplateResource {
  const trust = { Effect: 'Allow', Principal: { Service: principal }, Action: 'sts:AssumeRole' };
  const documentOf = (Statement: readonly object[]) => ({ Version: '2012-10-17', Statement });
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      Description: `What ${who} may do`,
      ...(permissionsBoundary && { PermissionsBoundary: permissionsBoundary }),
      AssumeRolePolicyDocument: documentOf([{ ...trust, ...(condition && { Condition: condition }) }]),
      Policies: [{ PolicyName: policy, PolicyDocument: documentOf(statements) }],
    },
  };
}
