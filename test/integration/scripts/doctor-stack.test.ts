import { afterEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitOfCheckout } from '#deploy/commit.ts';
import { schedulesOf } from '#deploy/schedules.ts';
import { readParameters } from '#deploy/read-parameters.ts';
import { examineStack } from '#scripts/doctor/stack/examine.ts';
import { healthyStack, startDeployedStack, TOPIC, type StackWorld } from '../../support/aws/deployed-stack.ts';
import { use } from '../../support/jest/use.ts';
import { BARE_ENVIRONMENT } from '../../support/bare-environment.ts';

/*
 * A deployed stack as AWS tells it, each time with one thing out of order: the doctor names it, and what to do about
 * it.
 */

const PARAMETERS = { alarmTopicArn: TOPIC, configRefs: 'default,emea', consumers: 2, operations: 'core' };
const HOUR = 3_600_000;
const aws = await use(startDeployedStack(PARAMETERS, healthyStack));
Object.assign(process.env, { AWS_ENDPOINT_URL: aws.url, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
const folder = mkdtempSync(join(tmpdir(), 'doctor-stack-'));
await use(Promise.resolve({ close: async () => rmSync(folder, { recursive: true }) }));
const parameters = join(folder, 'prod.yml');
writeFileSync(parameters, JSON.stringify(PARAMETERS));
afterEach(() => aws.reset());

function doctor(
  args: readonly string[] = [],
  more: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const env = {
    AWS_ENDPOINT_URL: aws.url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'eu-central-1',
  };
  const all = ['scripts/doctor.ts', '--remote', '--stage', 'prod', '--parameters', parameters, ...args];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      all,
      { env: { ...BARE_ENVIRONMENT, NO_COLOR: '1', ...env, ...more } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    );
  });
}

const read = (file: object) =>
  readParameters({ service: 'mdm-stream', stage: 'prod', commandLine: [], file: { ...file }, blocks: {} });
const emea = schedulesOf(read(PARAMETERS)).find(({ input }) => input.configRef === 'emea')?.logicalId ?? '';

/** What the doctor finds of the stack: a line a check, and its hint. */
async function examine(more: object = {}): Promise<string> {
  const { section } = await examineStack({ stage: 'prod', region: 'eu-central-1' }, read({ ...PARAMETERS, ...more }));
  return section.checks.map(({ name, status, detail, hint }) => `${status} ${name}: ${detail}\n→ ${hint}`).join('\n');
}

describe('npm run doctor -- --remote', () => {
  it('npm run doctor -- --remote exits with 0 if the stack and its configurations are healthy', async () => {
    const { code, output } = await doctor();

    const isCommitted = commitOfCheckout()?.endsWith('+changes') === false;
    expect([code, isCommitted ? output.includes('!') : false]).toEqual([isCommitted ? 0 : 2, false]);
    expect(output).toMatch(/✓ schedules +4 enabled: stream-consumer of default, stream-consumer of emea/);
    expect(output).toMatch(
      /✓ runs +stream-consumer of default ran \d+ (s|min) ago \(rate\(1 minute\)\); stream-consumer of emea ran/,
    );
    expect(output).toMatch(
      /✓ wake +mdm-source-enqueue, mdm-source-enqueue-batch, stream-consumer, stream-pause, stream-redrive may invoke the consumer/,
    );
    expect(output).toMatch(/✓ alarms +\d+, none rings.*\n +✓ alarm-topic +1 confirmed: email/);
    expect(output.match(/^(The master data API|Redis and the consumer), configRef (default|emea)$/gm)).toHaveLength(4);
  });

  it('npm run doctor -- --remote names another commit, and what to do', async () => {
    aws.world.commit = 'f'.repeat(40);
    const stack = await examine();

    // a downloaded archive of the project has no commits to compare
    if (commitOfCheckout() === undefined) return expect(stack).toMatch(/f{10} is deployed; this is no Git checkout/);
    expect(stack).toMatch(/warning commit: f{10} is deployed: unknown in this checkout/);
    expect(stack).toMatch(/Check the deployed commit out, or deploy this one/);
  });

  it.each<[string, Partial<StackWorld>, RegExp, RegExp]>([
    [
      'a stack whose update failed',
      { stackStatus: 'UPDATE_ROLLBACK_FAILED' },
      /failed stack: UPDATE_ROLLBACK_FAILED/,
      /describe-stack-events --stack-name mdm-stream-prod/,
    ],
    [
      'a stack whose creation failed',
      { stackStatus: 'ROLLBACK_COMPLETE', template: 'bucket' },
      /failed stack: ROLLBACK_COMPLETE, nothing is deployed/,
      /Remove it, then deploy again: npm run remove -- --stage prod/,
    ],
    [
      'a stack whose creation never began',
      { stackStatus: 'REVIEW_IN_PROGRESS', template: 'none' },
      /failed stack: REVIEW_IN_PROGRESS, nothing is deployed/,
      /Remove it, then deploy again: npm run remove -- --stage prod/,
    ],
    [
      'a stack whose first deployment was rolled back',
      { stackStatus: 'UPDATE_ROLLBACK_COMPLETE', template: 'bucket' },
      /failed stack: UPDATE_ROLLBACK_COMPLETE, nothing is deployed/,
      /describe-stack-events --stack-name mdm-stream-prod/,
    ],
    [
      'a schedule that was disabled by hand',
      { schedules: { [emea]: 'DISABLED' } },
      /failed schedules: Disabled by hand: stream-consumer of emea/,
      /Enable them/,
    ],
    [
      'a schedule that was deleted',
      { schedules: { [emea]: 'DELETED' } },
      /failed schedules: Missing: stream-consumer of emea/,
      /Deploy again/,
    ],
    [
      'a consumer that does not run for a configuration',
      { ranMsAgo: { 'stream-consumer emea': HOUR } },
      /failed runs: stream-consumer of emea has not run within two of its rates \(rate\(1 minute\)\)/,
      /Look at the schedules/,
    ],
    [
      'a stack that is too new to have run',
      { createdAt: new Date(), ranMsAgo: { 'stream-consumer default': undefined } },
      /warning runs: stream-consumer of default has not run/,
      /The stack is new/,
    ],
    [
      'a role that may not wake the consumer',
      { denied: ['mdm-source-enqueue-batch'] },
      /failed wake: IAM does not let mdm-source-enqueue-batch invoke the consumer/,
      /Allow lambda:InvokeFunction in permissionsBoundary/,
    ],
    [
      'a consumer that is stopped by its concurrency',
      { reservedConcurrency: 0 },
      /failed wake: The consumer may not run: its reserved concurrency is 0/,
      /delete-function-concurrency --function-name mdm-stream-\w+-stream-consumer; .*consumerReservedConcurrency over 0/,
    ],
    [
      'scheduled invocations that failed for good',
      { letters: 3 },
      /warning dead-letter-queue: 3 scheduled invocations failed for good/,
      /aws sqs receive-message --queue-url https/,
    ],
    [
      'an alarm that rings',
      { alarms: { ConsumerDeadLettersAlarm: 'ALARM' } },
      /warning alarms: 1 of \d+ ring/,
      /→ There are dead letters\./,
    ],
    [
      'an alarm that was deleted',
      { alarms: { ConsumerDeadLettersAlarm: 'DELETED' } },
      /failed alarms: CloudWatch does not know ConsumerDeadLettersAlarm/,
      /Deploy again/,
    ],
    [
      'an alarm that is silenced',
      { alarms: { ConsumerDeadLettersAlarm: 'SILENT' } },
      /warning alarms: 1 of \d+ notify nobody/,
      /enable-alarm-actions/,
    ],
    [
      'a topic without subscribers',
      { subscriptions: [] },
      /failed alarm-topic: Nobody subscribed/,
      /aws sns subscribe --topic-arn arn/,
    ],
    [
      'a subscription that nobody confirmed',
      { subscriptions: [false] },
      /failed alarm-topic: 1 of 1 subscriptions wait for confirmation \(email\)/,
      /Open the link/,
    ],
    [
      'a topic that does not exist',
      { subscriptions: undefined },
      /failed alarm-topic: The topic alarmTopicArn does not exist/,
      /Create it/,
    ],
    [
      'a right that you lack',
      { refused: 'cloudwatch:DescribeAlarms' },
      /skipped alarms: AWS does not let you look/,
      /Allow cloudwatch:DescribeAlarms for yourself/,
    ],
  ])('npm run doctor -- --remote names %s, and what to do', async (name, world, found, cure) => {
    Object.assign(aws.world, world);
    const stack = await examine();

    expect(stack).toMatch(found);
    expect(stack).toMatch(cure);
  });

  it('npm run doctor -- --remote names parameters that differ from those given', async () => {
    const stack = await examine({ consumers: 3, logLevel: 'debug' });

    expect(stack).toMatch(/warning parameters: consumers is 2, and 3 here; logLevel is info, and debug here/);
    expect(stack).toMatch(/Give them as deployed in deploy\/prod\.yml/);
  });

  it.each([
    [
      'without a region',
      { AWS_REGION: '', AWS_CONFIG_FILE: '/dev/null' },
      /^Name the region of the deployment: --region eu-central-1/,
    ],
    [
      'without credentials',
      {
        AWS_ACCESS_KEY_ID: '',
        AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
        AWS_CONFIG_FILE: '/dev/null',
        AWS_EC2_METADATA_DISABLED: 'true',
      },
      /^AWS credentials are missing: sign in/,
    ],
  ])('npm run doctor -- --remote prints one sentence %s', async (_, env, sentence) => {
    const { code, output } = await doctor([], env);

    expect([code, output.trim().split('\n').length]).toEqual([1, 1]);
    expect(output).toMatch(sentence);
  });
});
