import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { FILE_VARIABLE } from '#deploy/parameters-file.ts';
import { withLock } from '#scripts/build/lock.ts';

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
  /** Where the zips go. Default: nowhere but in the cache. */
  directory?: string;
}

const run = promisify(execFile);

const TEMPLATE = 'cloudformation-template-update-stack.json';
/** Packaged stacks, by their sources and parameters. */
const PACKAGES = '.build/packages';
/** How long stacks of other sources stay: a file may come and go in the checkout while tests run. */
const KEPT_MS = 24 * 60 * 60 * 1000;
const SOURCES = [
  'functions',
  'lib',
  'deploy',
  'scripts/build',
  'docs/openapi.json',
  'functions.yml',
  'serverless.yml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** The framework writes its state to one folder of the service, so one packages at a time. */
const LOCK = '.build/package.lock';

/**
 * `serverless package`, without AWS credentials; gives the template. Rejects with what it printed. The same stack of
 * the same sources is packaged once: tests share it.
 */
export async function packageStage(options: PackageOptions = {}): Promise<Template> {
  const { stage = 'dev', region, params = {}, file = {}, directory } = options;
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const given = hashOf(JSON.stringify([stage, region, params, file, AWS_REGION, AWS_DEFAULT_REGION]));
  const packaged = join(PACKAGES, hashOfSources(), given);
  if (!existsSync(packaged)) await withLock(LOCK, () => packageInto(packaged, options));
  if (directory) cpSync(packaged, directory, { recursive: true });
  return JSON.parse(readFileSync(join(packaged, TEMPLATE), 'utf8')) as Template;
}

async function packageInto(packaged: string, options: PackageOptions): Promise<void> {
  const { stage = 'dev', region, params = {}, file = {} } = options;
  if (existsSync(packaged)) return; // another test has already packaged it
  removeOthers(dirname(packaged));
  const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _key, ...env } = process.env;
  const folder = `${packaged}.${process.pid}`;
  const args = ['package', '--package', folder, '--stage', stage, ...(region ? ['--region', region] : [])];
  const parameters = join(mkdtempSync(join(tmpdir(), 'parameters-')), 'parameters.yml');
  writeFileSync(parameters, stringify(file));
  const paramArgs = Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  try {
    await run('serverless', [...args, ...paramArgs], { env: { ...env, [FILE_VARIABLE]: parameters } });
    renameSync(folder, packaged);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(stdout + stderr, { cause: error });
  } finally {
    rmSync(dirname(parameters), { recursive: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Stacks of other sources, unless another run may still read them. */
function removeOthers(kept: string): void {
  mkdirSync(kept, { recursive: true });
  const isOld = (folder: string) => Date.now() - statSync(folder).mtimeMs > KEPT_MS;
  const others = readdirSync(PACKAGES).filter((name) => name !== basename(kept));
  for (const name of others.map((name) => join(PACKAGES, name)).filter(isOld)) rmSync(name, { recursive: true });
}

/** Of all files that a stack is packaged from. */
function hashOfSources(): string {
  const files = SOURCES.flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]));
  return hashOf(files.map((path) => `${path} ${hashOf(readFileSync(path))}`).join());
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .sort();

const hashOf = (contents: string | Buffer) => createHash('sha256').update(contents).digest('hex').slice(0, 16);

export const ofType = ({ Resources }: Template, type: string): [string, Resource][] =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type);
