import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { functions } from '../../scripts/functions.ts';

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

const names = functions.map(({ name }) => name).sort();
const work = mkdtempSync(join(tmpdir(), 'package-'));
let resources: Resource[];

function packageInto(directory: string, ...options: string[]): Resource[] {
  const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _key, AWS_PROFILE: _profile, ...env } = process.env;
  execFileSync('serverless', ['package', '--package', directory, ...options], { env, stdio: 'pipe' });
  const template = readFileSync(join(directory, 'cloudformation-template-update-stack.json'), 'utf8');
  return Object.values((JSON.parse(template) as { Resources: Record<string, Resource> }).Resources);
}

const zipsIn = (directory: string) => readdirSync(directory).filter((file) => file.endsWith('.zip'));
const unzip = (name: string) => unzipSync(readFileSync(join(work, 'first', `${name}.zip`)));
const digests = (directory: string) =>
  zipsIn(directory).map((file) => [
    file,
    createHash('sha256')
      .update(readFileSync(join(directory, file)))
      .digest('hex'),
  ]);

beforeAll(() => {
  resources = packageInto(join(work, 'first'));
}, 60_000);
afterAll(() => rmSync(work, { recursive: true }));

const ofType = (type: string, among = resources) => among.filter((resource) => resource.Type === type);

describe('npm run package, without AWS credentials', () => {
  it('gives one zip a function, named as the template names it', () => {
    expect(zipsIn(join(work, 'first')).sort()).toEqual(names.map((name) => `${name}.zip`));
    expect(ofType('AWS::Lambda::Function').map(({ Properties }) => Properties.FunctionName)).toEqual(
      expect.arrayContaining(names.map((name) => `mdm-stream-dev-${name}`)),
    );
  });

  it('gives the same bytes for the same input, whatever the stage', () => {
    const forProd = packageInto(join(work, 'second'), '--stage', 'prod');

    expect(digests(join(work, 'second'))).toEqual(digests(join(work, 'first')));
    expect(JSON.stringify(forProd)).toContain('mdm-stream-prod-stream-xadd');
  }, 60_000);

  it('runs every function on nodejs24.x and arm64, with a role and a log retention of its own', () => {
    for (const { Properties } of ofType('AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
    const roles = ofType('AWS::Lambda::Function').map(({ Properties }) => JSON.stringify(Properties.Role));
    expect(new Set(roles).size).toBe(names.length);
    for (const { Properties } of ofType('AWS::Logs::LogGroup')) expect(Properties.RetentionInDays).toBe(30);
    expect(ofType('AWS::Logs::LogGroup')).toHaveLength(names.length + 1); // and the API's access log
  });

  it('ships the bundle and nothing else', () => {
    expect(Object.keys(unzip('stream-xadd'))).toEqual(['dist/stream-xadd/index.cjs']);
  });
});

describe('an unpacked zip, in a process of its own', () => {
  it('answers a direct invocation', () => {
    const directory = join(work, 'unpacked');
    for (const [path, bytes] of Object.entries(unzip('api-openapi'))) {
      mkdirSync(join(directory, dirname(path)), { recursive: true });
      writeFileSync(join(directory, path), bytes);
    }
    const program = `require('./dist/api-openapi/index.cjs')
      .handler({ rawPath: '/openapi.json', headers: {} })
      .then(({ body }) => console.log(JSON.parse(body).openapi));`;

    expect(execFileSync('node', ['-e', program], { cwd: directory, encoding: 'utf8' }).trim()).toBe('3.1.0');
  });
});
