import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { commitOfCheckout, commitsBetween, WITH_CHANGES } from '#deploy/commit.ts';
import { isDeployed } from '#deploy/deployed-parameters.ts';
import { changesOf, storedParametersOf } from '#deploy/parameter-changes.ts';
import type { Deployment } from '#deploy/parameters.ts';
import { SCHEDULES_DEAD_LETTERS } from '#deploy/schedules.ts';
import { Checks, type Found } from '#lib/invocation/checks.ts';
import { ScriptError } from '../../arguments.ts';
import { describeStack, readTemplate } from '../../remote/deployed-template.ts';
import { storedParametersIn } from '../../remote/read-deployment.ts';
import { reasonOf } from '../../remote/invoke.ts';
import type { Remote } from '../../remote/remote.ts';
import { cureOf, eventsOf } from '../../remote/stack-state.ts';
import type { Section } from '../print.ts';
import { checkTopic, inspectAlarms } from './alarms.ts';
import type { DeployedStack } from './deployed-stack.ts';
import { inspectRuns, inspectSchedules } from './schedules.ts';
import { inspectWake } from './wake.ts';

/** Faults of this shell, not of the stack. */
const NO_AWS = /^CredentialsProviderError:|^TokenProviderError:|: Region (is missing|not accepted)/;

/** What was examined: its section, and the stack for the checks that follow; undefined if it cannot be read. */
interface Examined {
  readonly section: Section;
  readonly stack: DeployedStack | undefined;
}

/**
 * Looks at a stack itself: what was deployed, and whether all that starts, stops and reports it is in order. Only
 * reads.
 */
export async function examineStack(remote: Remote, given: Deployment): Promise<Examined> {
  const name = `${given.service}-${given.stage}`;
  const ofStack = ['stack', 'commit', 'parameters', 'schedules', 'runs', 'wake', 'dead-letter-queue'];
  const checks = new Checks([...ofStack, 'alarms', 'alarm-topic']);
  const check = <T>(check: string, find: () => Found<T> | Promise<Found<T>>) => checks.run(check, () => orReason(find));
  const stack = await check('stack', () => openStack(name, remote, given));
  if (stack) {
    await check('commit', () => compareCommits(stack));
    await check('parameters', () => compareParameters(stack, given));
    await check('schedules', () => inspectSchedules(stack));
    await check('runs', () => inspectRuns(stack));
    await check('wake', () => inspectWake(stack));
    await check('dead-letter-queue', () => inspectQueue(stack));
    await check('alarms', () => inspectAlarms(stack));
    await check('alarm-topic', () => checkTopic(stack));
  }
  return { section: { title: `The stack ${name}`, checks: checks.report('failed').checks }, stack };
}

/** What a call of AWS finds, or why it was refused. A right that the caller lacks is no fault of the stack. */
async function orReason<T>(find: () => Found<T> | Promise<Found<T>>): Promise<Found<T | undefined>> {
  try {
    return await find();
  } catch (error) {
    const { name, message } = error as Error;
    if (NO_AWS.test(`${name}: ${message}`)) throw new ScriptError(reasonOf(error as Error));
    const isDenied = /AccessDenied|AuthorizationError|UnauthorizedOperation/.test(name);
    if (!isDenied) return { status: 'failed', detail: reasonOf(error as Error), value: undefined };
    const [, right] = /perform:? ([a-z-]+:\w+)/.exec(message) ?? [];
    const hint = right === undefined ? message : `Allow ${right} for yourself`;
    return { status: 'skipped', detail: 'AWS does not let you look', hint, value: undefined };
  }
}

async function openStack(
  name: string,
  { region }: Remote,
  given: Deployment,
): Promise<Found<DeployedStack | undefined>> {
  const { service, stage } = given;
  const described = await describeStack(name, region);
  if (!described) {
    const hint = 'Check --stage and --region, or deploy it: npm run deploy';
    return { status: 'failed', detail: `There is no stack ${name} in this region`, hint, value: undefined };
  }
  const { StackStatus: status = '', StackStatusReason: reason, CreationTime: createdAt = new Date(0) } = described;
  const because = reason ? `: ${reason}` : '';
  const named = { name, stage, region };
  const hint = cureOf(status, named) ?? `Look at its events: ${eventsOf(named)}`;
  const template = await readTemplate(name, region);
  if (!template || !isDeployed(template)) {
    return { status: 'failed', detail: `${status}, nothing is deployed${because}`, hint, value: undefined };
  }
  const client = new CloudFormationClient({ region, maxAttempts: 2 });
  const ids = new Map<string, string>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: name })) {
    for (const one of StackResourceSummaries) ids.set(one.LogicalResourceId ?? '', one.PhysicalResourceId ?? '');
  }
  const parameters = storedParametersIn(template, given);
  const value = { service, stage, region, template, parameters, ids, createdAt };
  const detail = `${status}, version ${parameters.version ?? '1.0 or older'}, ${ids.size} resources`;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return { detail, value };
  const isBroken = status.includes('FAILED') || status.startsWith('ROLLBACK') || status.startsWith('DELETE');
  return { status: isBroken ? 'failed' : 'warning', detail: detail + because, hint, value };
}

function compareCommits({ parameters: { commit: deployed } }: DeployedStack): Found<true> {
  const here = commitOfCheckout();
  const warn = (detail: string, hint: string): Found<true> => ({ status: 'warning', detail, hint, value: true });
  if (deployed === undefined) return warn('The stack does not say of which commit it is', 'Deploy again');
  if (here === undefined) return { detail: `${short(deployed)} is deployed; this is no Git checkout`, value: true };
  if (deployed.endsWith(WITH_CHANGES)) {
    return warn(`${short(deployed)} is deployed, with changes that are in no commit`, 'Commit them, and deploy again');
  }
  const [commit] = here.split(WITH_CHANGES);
  if (commit !== deployed)
    return warn(difference(deployed, commit ?? ''), 'Check the deployed commit out, or deploy this one');
  if (here !== commit)
    return warn(`${short(deployed)} is deployed; this checkout has further changes`, 'Deploy them, or undo them');
  return { detail: `${short(deployed)}, as in this checkout`, value: true };
}

function difference(deployed: string, here: string): string {
  const [behind, ahead] = [commitsBetween(deployed, here), commitsBetween(here, deployed)];
  const known = behind !== undefined && ahead !== undefined;
  const apart = known ? `${ahead} commits ahead of this checkout and ${behind} behind it` : 'unknown in this checkout';
  return `${short(deployed)} is deployed: ${apart} (${short(here)})`;
}

const short = (commit: string) => commit.slice(0, 10);

function compareParameters({ parameters, stage }: DeployedStack, given: Deployment): Found<true> {
  const changes = changesOf(parameters, storedParametersOf(given));
  const own = parameters.given.length;
  if (changes.length === 0) return { detail: `As given here; ${own} are not left to their defaults`, value: true };
  const differences = changes.map(({ name, from = 'none', to = 'none' }) => `${name} is ${from}, and ${to} here`);
  const hint = `Give them as deployed in deploy/${stage}.yml, with --parameters or with --param; or deploy`;
  return { status: 'warning', detail: differences.join('; '), hint, value: true };
}

async function inspectQueue({ ids, region }: DeployedStack): Promise<Found<true>> {
  const QueueUrl = ids.get(SCHEDULES_DEAD_LETTERS);
  if (QueueUrl === undefined) return { detail: 'The stack has no schedules', value: true };
  const client = new SQSClient({ region, maxAttempts: 2, useQueueUrlAsEndpoint: false });
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }),
  );
  const count = names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  if (count === 0) return { detail: 'Empty', value: true };
  const hint = `See what failed: aws sqs receive-message --queue-url ${QueueUrl} --message-attribute-names All`;
  return { status: 'warning', detail: `${count} scheduled invocations failed for good`, hint, value: true };
}
