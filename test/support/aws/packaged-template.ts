import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { FILE_VARIABLE } from '#deploy/parameters-file.ts';

/** Properties that tests read, with the type that they have once references are resolved. */
export interface Properties {
  FunctionName: string;
  Role: string;
  RoleName?: string;
  VpcConfig?: object;
  Target: { RoleArn: string; Arn: string; Input: string; RetryPolicy: object; DeadLetterConfig: { Arn: string } };
  [name: string]: unknown;
}

/** A resource of a CloudFormation template. */
export interface Resource {
  Type: string;
  Properties: Properties;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

export interface Template {
  Metadata?: Record<string, unknown>;
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown; Export?: { Name: unknown } }>;
}

export interface PackageOptions {
  stage?: string;
  region?: string;
  params?: Record<string, string | number>;
  /** Contents of the parameters file. Default: none, not even that of the stage. */
  file?: object;
  /** Where the zips go. Default: a folder that is removed. */
  directory?: string;
}

const run = promisify(execFile);

/** The framework writes its state to one folder of the service, so one packages at a time. */
const LOCK = join(tmpdir(), `package-${createHash('sha256').update(process.cwd()).digest('hex').slice(0, 8)}.lock`);

async function alone<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      mkdirSync(LOCK);
      break;
    } catch {
      const { mtimeMs } = statSync(LOCK, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
      if (Date.now() - mtimeMs > 120_000) rmSync(LOCK, { recursive: true, force: true }); // of a run that was killed
      await wait(100);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

/** `serverless package`, without AWS credentials; gives the template. Rejects with what it printed. */
export async function packageStage({
  stage = 'dev',
  region,
  params = {},
  file = {},
  directory,
}: PackageOptions = {}): Promise<Template> {
  const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _key, AWS_PROFILE: _profile, ...env } = process.env;
  const target = directory ?? mkdtempSync(join(tmpdir(), 'template-'));
  const args = ['package', '--package', target, '--stage', stage, ...(region ? ['--region', region] : [])];
  const parameters = join(mkdtempSync(join(tmpdir(), 'parameters-')), 'parameters.yml');
  writeFileSync(parameters, stringify(file));
  const paramArgs = Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  try {
    await alone(() => run('serverless', [...args, ...paramArgs], { env: { ...env, [FILE_VARIABLE]: parameters } }));
    return JSON.parse(readFileSync(join(target, 'cloudformation-template-update-stack.json'), 'utf8')) as Template;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(stdout + stderr, { cause: error });
  } finally {
    rmSync(dirname(parameters), { recursive: true });
    if (!directory) rmSync(target, { recursive: true });
  }
}

export const ofType = ({ Resources }: Template, type: string): [string, Resource][] =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type);
