import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Document } from '#functions/api/docs/page/document.ts';
import { readOperations, type Operation } from '#functions/api/docs/page/openapi.ts';
import type { SignIn } from '#functions/api/docs/page/credentials.ts';
import { snippet, type Language } from '#functions/api/docs/page/snippets.ts';
import { registry } from '#functions/registry.ts';
import { openapiFile } from '#scripts/generate/openapi/document.ts';
import { startHttpGateway, type HttpGateway } from '../../support/aws/http-gateway.ts';
import { listen } from '#sandbox/network/listen.ts';
import { TSC } from '#scripts/build/tsc.ts';
import { startMdmFixture, type MdmFixture as Fixture } from '../../support/mdm/mdm-fixture.ts';
import { use } from '../../support/jest/use.ts';

const run = promisify(execFile);
const operations = readOperations(JSON.parse(openapiFile(registry).contents) as Document);
const none: SignIn = { kind: 'none' };
const jwt: SignIn = { kind: 'jwt', token: 'secret-token' };
const iam: SignIn = { kind: 'iam', accessKeyId: 'AKID', secretAccessKey: 'secret-key', sessionToken: '', region: '' };
/** Who may call where a call has to be signed, and the environment that AWS' tools read it from. */
const IDENTITY = { accessKeyId: 'AKID', secretAccessKey: 'secret-key', sessionToken: 'session/token+=' };
const AWS_ENV = {
  AWS_ACCESS_KEY_ID: IDENTITY.accessKeyId,
  AWS_SECRET_ACCESS_KEY: IDENTITY.secretAccessKey,
  AWS_SESSION_TOKEN: IDENTITY.sessionToken,
  AWS_REGION: 'eu-central-1',
};
const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
const modules = join(folder, 'node_modules');

const fixture = await use(startMdmFixture());
const gateway = await use(startHttpGateway(fixture.lambda));
execFileSync(process.execPath, ['scripts/pack.ts', '--destination', folder], { stdio: 'pipe' });
const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
mkdirSync(join(modules, 'mdm-stream-functions'), { recursive: true });
execFileSync('tar', ['-xzf', tarball, '-C', join(modules, 'mdm-stream-functions'), '--strip-components=1'], {
  cwd: folder,
});
for (const name of ['aws4fetch', '@aws-sdk', '@smithy', '@types', 'undici-types'])
  symlinkSync(resolve('node_modules', name), join(modules, name));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the page copies for an operation: its example, or another body. */
function copied(language: Language, { id, path, example }: Operation, signIn = none, body = example): string {
  return snippet(language, { id, path, body, signIn, url: `${gateway.url}${path}` });
}

const operation = (id: string) => operations.find((candidate) => candidate.id === id)!;

/** What a program printed; of Python also what it ended with. */
async function output(program: string, args: string[], env = {}): Promise<string> {
  const options = { env: { ...process.env, ...env } };
  const { stdout } = await run(program, args, options).catch((error: { stdout: string; stderr: string }) => ({
    stdout: error.stdout || error.stderr,
  }));
  return stdout;
}

it('/docs copies TypeScript that compiles strictly against the packed client, for each sign-in, and runs', async () => {
  const signIns = { none, jwt, iam };
  for (const [kind, signIn] of Object.entries(signIns))
    for (const one of kind === 'none' ? operations : operations.slice(0, 2))
      writeFileSync(join(folder, `${one.id}-${kind}.ts`), copied('TypeScript', one, signIn));
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom'],
    types: ['node'],
    outDir: 'out',
    noUnusedLocals: true,
    skipLibCheck: true,
    preserveSymlinks: true,
    rootDir: '.',
  };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));

  expect(await output(process.execPath, [TSC, '-p', folder])).toBe('');
  expect(await output(process.execPath, [join(folder, 'out/stream-xadd-none.js')])).toMatch(/^\d+-\d+\n$/);
}, 120_000);

/** What each program prints; one Python runs them all, each by itself. */
async function runPython(programs: readonly string[]): Promise<string[]> {
  const each = `for text in json.load(open(sys.argv[1])):
    try:
        exec(text, {})
    except SystemExit as end:
        print(end)
    except Exception:
        traceback.print_exc(file=sys.stdout)
    print("\\0", end="")`;
  const list = join(folder, 'programs.json');
  writeFileSync(list, JSON.stringify(programs));
  return (await output('python3', ['-c', `import json, sys, traceback\n${each}`, list])).split('\0');
}

/** What the examples of the documents leave out: names that are the reader's own, and imports shown before. */
const READER = `
type Record_ = { sourcePKey: string; record: { [field: string]: unknown } };
declare const [url, accessKeyId, secretAccessKey, sessionToken]: [string, string, string, string];
type Input_ = { businessEntity: string; search: string };
declare const [client, records, input]: [import('mdm-stream-functions').Client, Record_[], Input_];
`;
/** What `npm run types` writes for a tenant of cities. */
const RECORDS =
  "export interface Records { 'c360.city': { name: string; country: { Code: string }; population?: number } }";
const IMPORTS: Record<string, string> = {
  createClient: 'mdm-stream-functions',
  httpTransport: 'mdm-stream-functions',
  AwsClient: 'aws4fetch',
};

/** A block of a document as a module: its imports, those it omits, and the rest in a separate scope. */
function moduleOf(block: string, reader = READER, last = ''): string {
  const imports = block.match(/^import .*$/gm) ?? [];
  const isImported = (name: string) => imports.some((line) => line.includes(name));
  const further = Object.entries(IMPORTS).filter(([name]) => block.includes(name) && !isImported(name));
  return [
    ...imports,
    ...further.map(([name, from]) => `import { ${name} } from '${from}';`),
    reader,
    `export async function example() {\n${block.replaceAll(/^import .*$/gm, '')}\n${last}}`,
  ].join('\n');
}

const documents = ['README.md', 'docs/client.md', 'docs/types.md', 'docs/guides/load-a-million-records.md'];
const blocks = documents.flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => [path, block!] as const),
);

/** Those of the page of the client, by their first lines. */
const CLIENT_BLOCKS = blocks.flatMap(([path, block]) =>
  path === 'docs/client.md' ? [[block.split('\n')[0]!, block] as const] : [],
);

describe('the TypeScript of the documents', () => {
  it('the TypeScript of the documents compiles strictly against the packed client', async () => {
    const examples = join(folder, 'examples');
    mkdirSync(examples);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(examples, 'records.ts'), RECORDS);
    for (const [at, [path, block]] of blocks.entries())
      writeFileSync(join(examples, `${path.replaceAll(/\W/g, '-')}-${at}.ts`), moduleOf(block));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom'],
      types: ['node'],
      skipLibCheck: true,
      preserveSymlinks: true,
    };
    writeFileSync(join(examples, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));

    expect(blocks.length).toBeGreaterThan(5);
    expect(await output(process.execPath, [TSC, '-p', examples])).toBe('');
  }, 60_000);

  it.each(CLIENT_BLOCKS)('the TypeScript of the documents runs: %s', async (_, block) => {
    const isSigned = block.includes('AwsClient');
    const api = await startHttpGateway(fixture.lambda, isSigned ? IDENTITY : undefined);
    const invokeApi = await startInvokeApi(fixture.lambda);
    const env = { ...AWS_ENV, AWS_ENDPOINT_URL_LAMBDA: invokeApi.url };
    const file = join(folder, 'example.ts');
    writeFileSync(file, programOf(block, api.url));

    const printed = await output(process.execPath, [file], env);
    await Promise.all([api.close(), invokeApi.close()]);

    expect(printed).toMatch(/\d\ndone\n$/);
  });
});

/** The same as a program, which ends with a call of the client that the block made or was given. */
function programOf(block: string, url: string): string {
  const reader = `
    import * as client_ from 'mdm-stream-functions';
    const [url, accessKeyId, secretAccessKey, sessionToken] = ${JSON.stringify([url, ...Object.values(IDENTITY)])};
    const input = { businessEntity: 'c360.city', search: '*' };
    const client = client_.createClient(client_.httpTransport({ url }));`;
  const call = `console.log(await client.invoke('stream-xlen', { key: 'orders' }));\n`;
  const module = moduleOf(block.replaceAll('http://localhost:3000', url), reader, call);
  return `${module}\nawait example();\nconsole.log('done');`;
}

/** Lambda's Invoke API over packaged functions, for a client whose functions begin with `mdm-stream-prod-`. */
async function startInvokeApi(lambda: Fixture['lambda']) {
  const server = createServer((request, response) => {
    const name = /functions\/mdm-stream-prod-([\w-]+)\/invocations/.exec(request.url!)![1]!;
    void json(request)
      .then((payload) => lambda.invoke(name, payload as object))
      .then((result) => response.end(JSON.stringify(result)));
  });
  return listen(server);
}

const LANGUAGES = { curl: ['bash', '-c'], Python: ['python3', '-c'] } as const;

describe.each(['curl', 'Python'] as const)('the call that /docs copies as %s', (language) => {
  const [program, flag] = LANGUAGES[language];
  const call = async (text: string, env = {}) => output(program, [flag, text], env);

  it('the call that /docs copies runs unchanged for every operation, with its example', async () => {
    const texts = operations.map((one) => copied(language, one));

    // side by side, one would delete another's record
    const inTurn = texts.map((text) => `${text}\nprintf '\\0'`).join('\n');
    const printed = language === 'curl' ? (await call(inTurn)).split('\0') : await runPython(texts);

    for (const [at, { id }] of operations.entries()) {
      const text = printed[at]!.trim();
      expect([id, text]).not.toEqual([id, expect.stringMatching(/Traceback|SyntaxError|curl:|bash:/)]);
      const problem = /^\{"type":/.test(text) ? (JSON.parse(text) as { status: number; detail: string }) : undefined;
      expect([id, problem?.status === 400 && problem.detail]).toEqual([id, false]);
    }
  }, 180_000);

  it('the call that /docs copies keeps quotes, backslashes, line breaks and other scripts unchanged', async () => {
    const key = fixture.key();
    const entry = { a: `it's "so" \\ $HOME \`id\` ''' %s`, b: 'line\nbreak\\', c: 'größe 字 😀' };

    const id = (
      await call(copied(language, operation('stream-xadd'), none, JSON.stringify({ key, entry }, null, 2)))
    ).trim();

    const [[, fields]] = (await fixture.redis('XRANGE', key, '-', '+')) as [[string, string[]]];
    expect(id).toMatch(/^"?\d+-\d+"?$/);
    expect(fields).toEqual(Object.entries(entry).flat());
  });

  it('the call that /docs copies shows the problem if it is refused', async () => {
    const printed = await call(copied(language, operation('stream-xack'), none, '{"key": "orders", "ids": []}'));

    expect(JSON.parse(printed)).toMatchObject({ status: 400, errors: [{ pointer: '/group' }, { pointer: '/ids' }] });
  });

  it('the call that /docs copies reads credentials from the environment, and holds none', async () => {
    const text = copied(language, operation('stream-xlen'), jwt);

    expect(`${text}${copied(language, operation('stream-xlen'), iam)}`).not.toMatch(/secret-/);
    expect((await call(text, { TOKEN: 'abc' })).trim()).toMatch(/^\d+$/);
  });
});

/** A library of AWS for Python: without it, its program is compiled and not run. */
const hasBotocore = spawnSync('python3', ['-c', 'import botocore']).status === 0;

describe('the call that /docs copies for IAM', () => {
  let signed: HttpGateway;
  beforeAll(async () => {
    signed = await startHttpGateway(fixture.lambda, IDENTITY);
  });
  afterAll(() => signed.close());

  const of = (language: Language, region = 'eu-central-1') => {
    const { id, path, example } = operation('stream-xadd');
    return snippet(language, { id, path, body: example, signIn: { ...iam, region }, url: `${signed.url}${path}` });
  };
  /** Runs it with credentials as an AWS environment holds them. */
  const call = (program: string, args: string[], secretAccessKey = IDENTITY.secretAccessKey) =>
    output(program, args, { ...AWS_ENV, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  const fileOf = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it.each(['', 'eu-central-1'])(
    'the IAM call that /docs copies is accepted as curl, with the region %p',
    async (region) => {
      const program = of('curl', region);

      expect(await call('bash', ['-c', program])).toMatch(/^"?\d+-\d+"?$/);
      expect(await call('bash', ['-c', program], 'another')).toBe('{"message":"Forbidden"}');
    },
  );

  it('the IAM call that /docs copies is accepted as TypeScript', async () => {
    const path = fileOf('signed.ts', of('TypeScript'));

    expect(await call(process.execPath, [path])).toMatch(/^\d+-\d+\n$/);
    expect(await call(process.execPath, [path], 'another')).toContain('status: 403');
  });

  (hasBotocore ? it : it.skip).each(['', 'eu-central-1'])(
    'is accepted by the authorizer as Python with botocore, with the region %p',
    async (region) => {
      const path = fileOf('signed.py', of('Python', region));

      expect(await call('python3', [path])).toMatch(/^"?\d+-\d+"?\n$/);
    },
  );

  it.each(['', 'eu-central-1'])(
    'the IAM call that /docs copies is valid Python, with the region %p',
    async (region) => {
      const text = of('Python', region);

      expect(await output('python3', ['-m', 'py_compile', fileOf('signed.py', text)])).toBe('');
      expect(text).toContain(region === '' ? 'os.environ["AWS_REGION"]' : '"eu-central-1"');
    },
  );
});
