import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Template } from '../aws/packaged-template.ts';

/* What 1.0.0 deployed: its template, and the parameters with which it was packaged. */

export const GIVEN = {
  vpcSubnetIds: 'subnet-0a1b2c3d,subnet-0a1b2c3e',
  vpcSecurityGroupIds: 'sg-0a1b2c3d',
  tracing: 'on',
  permissionsBoundary: 'arn:aws:iam::123456789012:policy/mdm-stream-boundary',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:on-call',
  logKmsKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/11111111-2222-3333-4444-555555555555',
  kmsKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/99999999-2222-3333-4444-555555555555',
  redisIamArns:
    'arn:aws:elasticache:eu-central-1:123456789012:serverlesscache:mdm-stream,' +
    'arn:aws:elasticache:eu-central-1:123456789012:user:mdm-stream-functions',
  consumerTargets: 'mdm-stream-prod-target-*,billing-orders',
  consumers: 4,
  consumerRate: 'rate(2 minutes)',
  consumerReservedConcurrency: 20,
  configRefs: 'default,emea',
  logRetentionInDays: 90,
  corsOrigins: 'https://app.example',
  throttleRate: 50,
  throttleBurst: 80,
  secretTtlMs: 60_000,
  tags: { team: 'master-data' },
  schedules: [
    {
      operation: 'stream-xtrim',
      rate: 'rate(1 hour)',
      input: { key: 'audit', evictionOption: { maxLength: 100_000 } },
    },
  ],
};

export const template = JSON.parse(
  gunzipSync(readFileSync('test/fixtures/template-1.0.0.json.gz')).toString(),
) as Template;
