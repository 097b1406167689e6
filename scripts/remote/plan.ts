import {
  CloudFormationClient,
  CreateChangeSetCommand,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
  DescribeStackResourceCommand,
  type Change,
  type DescribeChangeSetCommandOutput,
} from '@aws-sdk/client-cloudformation';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { setTimeout as wait } from 'node:timers/promises';
import { urlSuffixOf } from '#deploy/parameter-values.ts';
import { ScriptError } from '../arguments.ts';
import { reasonOf } from './invoke.ts';

/** Logical id of the bucket that the framework makes. */
const BUCKET = 'ServerlessDeploymentBucket';
const POLL_MS = 1000;

interface Planned {
  readonly stack: string;
  readonly region: string;
  /** The template, as JSON. */
  readonly template: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Where the framework keeps the deployments of the stack in its bucket, and removes them from with the stack. */
  readonly folder: string;
}

/**
 * What a deployment would change of a stack, by a change set of CloudFormation that is deleted again.
 *
 * @throws {ScriptError} if AWS refuses it
 */
export async function planOf(planned: Planned): Promise<Change[]> {
  return compare(planned).catch((error: Error) => {
    throw error instanceof ScriptError ? error : new ScriptError(`AWS refuses to plan it: ${reasonOf(error)}`);
  });
}

async function compare({ stack, region, template, tags, folder }: Planned): Promise<Change[]> {
  const cloudFormation = new CloudFormationClient({ region });
  const s3 = new S3Client({ region, forcePathStyle: true });
  const name = `plan-${Date.now()}`;
  const change = { StackName: stack, ChangeSetName: name };
  const { StackResourceDetail: { PhysicalResourceId: Bucket } = {} } = await cloudFormation.send(
    new DescribeStackResourceCommand({ StackName: stack, LogicalResourceId: BUCKET }),
  );
  const object = { Bucket, Key: `${folder}/plans/${name}.json` };
  await s3.send(new PutObjectCommand({ ...object, Body: template }));
  try {
    await cloudFormation.send(
      new CreateChangeSetCommand({
        ...change,
        ChangeSetType: 'UPDATE',
        TemplateURL: `https://s3.${region}.${urlSuffixOf(region)}/${Bucket}/${object.Key}`,
        Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'],
        Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      }),
    );
    return await changesOf(cloudFormation, change);
  } finally {
    await cloudFormation.send(new DeleteChangeSetCommand(change));
    await s3.send(new DeleteObjectCommand(object));
  }
}

async function changesOf(client: CloudFormationClient, change: { StackName: string; ChangeSetName: string }) {
  const changes: Change[] = [];
  let NextToken: string | undefined;
  while (true) {
    const page: DescribeChangeSetCommandOutput = await client.send(
      new DescribeChangeSetCommand({ ...change, NextToken }),
    );
    if (/PENDING|IN_PROGRESS/.test(page.Status!)) {
      await wait(POLL_MS);
      continue;
    }
    if (page.Status === 'FAILED') {
      if (/didn't contain changes|No updates/.test(page.StatusReason ?? '')) return [];
      throw new ScriptError(`CloudFormation cannot carry this out: ${page.StatusReason}`);
    }
    changes.push(...(page.Changes ?? []));
    NextToken = page.NextToken;
    if (NextToken === undefined) return changes;
  }
}

const VERBS = {
  Add: 'adds',
  Modify: 'changes',
  Remove: 'removes',
  replace: 'REPLACES',
  perhaps: 'may replace',
} as const;

/** A line for each resource, what is lost first. */
export function describePlan(changes: readonly Change[]): string[] {
  const lines = changes.map(({ ResourceChange: change = {} }) => {
    const { Action = 'Modify', Replacement, ResourceType, LogicalResourceId, Details = [] } = change;
    const replaces = { True: VERBS.replace, Conditional: VERBS.perhaps, False: undefined }[Replacement ?? 'False'];
    const verb = replaces ?? VERBS[Action as 'Add'] ?? Action;
    const names = [...new Set(Details.map(({ Target }) => Target?.Name ?? Target?.Attribute).filter(Boolean))];
    return {
      verb,
      text: `  ${verb} ${ResourceType} ${LogicalResourceId}${names.length ? `: ${names.join(', ')}` : ''}`,
    };
  });
  const order: string[] = [VERBS.replace, VERBS.Remove, VERBS.perhaps, VERBS.Add];
  const rankOf = (verb: string) => (order.includes(verb) ? order.indexOf(verb) : order.length);
  return lines.toSorted((a, b) => rankOf(a.verb) - rankOf(b.verb)).map(({ text }) => text);
}
