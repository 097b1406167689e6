import { afterEach, expect, it } from '@jest/globals';
import { deployedTemplate } from '#scripts/remote/deployed-template.ts';
import { planOf } from '#scripts/remote/plan.ts';
import { startAwsEndpoint } from '../../support/aws/aws-endpoint.ts';
import { BUCKET_ALONE } from '../../support/aws/deployed-stack.ts';
import { use } from '../../support/jest/use.ts';

/* What a deployment makes of a stack that is not as the last one should have left it. */

const STACK = { name: 'mdm-stream-prod', stage: 'prod', region: 'eu-central-1' };
const REMOVE = 'npm run remove -- --stage prod --region eu-central-1';

const aws = await use(startAwsEndpoint());
const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
Object.assign(process.env, credentials, { AWS_ENDPOINT_URL: aws.url });
afterEach(() => aws.allowAll());

it.each([
  ['REVIEW_IN_PROGRESS', undefined, REMOVE],
  ['ROLLBACK_COMPLETE', BUCKET_ALONE, REMOVE],
  ['DELETE_FAILED', BUCKET_ALONE, REMOVE],
  ['UPDATE_ROLLBACK_FAILED', BUCKET_ALONE, 'aws cloudformation continue-update-rollback --stack-name mdm-stream-prod'],
  ['UPDATE_IN_PROGRESS', BUCKET_ALONE, 'Wait until that is done: aws cloudformation describe-stack-events'],
])('a deployment is refused while the stack is in %s, with the command to run', async (status, template, cure) => {
  aws.deployed(template, status);

  await expect(deployedTemplate(STACK)).rejects.toThrow(`The stack mdm-stream-prod is in ${status}`);
  await expect(deployedTemplate(STACK)).rejects.toThrow(cure);
});

it('a stack whose first deployment was rolled back counts as not deployed', async () => {
  aws.deployed(BUCKET_ALONE, 'UPDATE_ROLLBACK_COMPLETE');

  expect(await deployedTemplate(STACK)).toBeUndefined();
});

it('a stack whose last update was rolled back can be deployed again', async () => {
  const template = { Resources: { F: { Type: 'AWS::Lambda::Function', Properties: {} } } };
  aws.deployed(template, 'UPDATE_ROLLBACK_COMPLETE');

  expect(await deployedTemplate(STACK)).toEqual(template);
});

it('a right that AWS denies is named, and a plan leaves no template behind', async () => {
  aws.deployed(BUCKET_ALONE);
  const plan = { stack: STACK.name, region: STACK.region, template: '{"Resources":{}}', tags: {}, folder: 'folder' };
  aws.deny('CreateChangeSet');

  await expect(planOf(plan)).rejects.toThrow(
    'AWS refuses to plan it: AccessDenied: You may not perform: cloudformation:CreateChangeSet',
  );
  expect(aws.calls).toContainEqual(expect.stringMatching(/^S3 PUT folder\/plans\//));
  expect([...aws.objects.keys()]).toEqual([]);

  aws.deny('DescribeStacks');
  await expect(deployedTemplate(STACK)).rejects.toThrow(
    /cannot be read: AccessDenied: .*cloudformation:DescribeStacks/,
  );
});
