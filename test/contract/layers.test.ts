import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Imports that no one may write, each with the rule that finds it. */
const FORBIDDEN: [rule: string, files: Record<string, string[]>][] = [
  ['no-cycles', { 'lib/core/cycle-a.ts': ['./cycle-b.ts'], 'lib/core/cycle-b.ts': ['./cycle-a.ts'] }],
  [
    'no-folder-cycles',
    {
      'scripts/one/a.ts': ['../two/b.ts'],
      'scripts/two/b.ts': [],
      'scripts/two/c.ts': ['../one/d.ts'],
      'scripts/one/d.ts': [],
    },
  ],
  ['lib-has-known-folders', { 'lib/utils/a.ts': ['../core/leaf.ts'] }],
  ['lib-has-known-folders-to', { 'scripts/uses-utils.ts': ['../lib/utils/a.ts'] }],
  ['lib-core-imports-downwards', { 'lib/core/up.ts': ['../contract/leaf.ts'] }],
  ['lib-contract-imports-downwards', { 'lib/contract/up.ts': ['../config/leaf.ts'] }],
  ['lib-config-imports-downwards', { 'lib/config/up.ts': ['../invocation/leaf.ts'] }],
  ['lib-invocation-imports-downwards', { 'lib/invocation/up.ts': ['../redis/leaf.ts'] }],
  ['lib-endpoint-imports-downwards', { 'lib/endpoint/up.ts': ['../redis/leaf.ts'] }],
  ['lib-redis-imports-downwards', { 'lib/redis/up.ts': ['../endpoint/leaf.ts'] }],
  ['lib-stream-imports-downwards', { 'lib/stream/up.ts': ['../mdm/leaf.ts'] }],
  ['lib-mdm-imports-downwards', { 'lib/mdm/up.ts': ['../stream/leaf.ts'] }],
  ['lib-consumer-imports-downwards', { 'lib/consumer/up.ts': ['../endpoint/leaf.ts'] }],
  ['lib-client-imports-downwards', { 'lib/client/up.ts': ['../contract/leaf.ts'] }],
  ['functions-import-lib-only', { 'functions/mdm/a/handler.ts': ['#scripts/leaf.ts'] }],
  ['build-imports-functions-and-lib-only', { 'scripts/build/up.ts': ['../leaf.ts'] }],
  ['deploy-imports-downwards', { 'deploy/up.ts': ['#sandbox/leaf.ts'] }],
  ['sandbox-imports-downwards', { 'sandbox/up.ts': ['../scripts/leaf.ts'] }],
  ['scripts-do-not-import-tests', { 'scripts/up.ts': ['../test/leaf.ts'] }],
  [
    'operations-do-not-import-each-other',
    { 'functions/mdm/b/handler.ts': ['../c/leaf.ts'], 'functions/mdm/c/leaf.ts': [] },
  ],
  ['contracts-import-the-vocabulary-only', { 'functions/mdm/d/contract.ts': ['#lib/core/leaf.ts'] }],
  ['registry-imports-contracts-only', { 'functions/registry.ts': ['../lib/core/leaf.ts'] }],
  ['not-resolvable', { 'scripts/lost.ts': ['./nowhere.ts'] }],
  ['bundled-code-needs-dependencies', { 'lib/mdm/dev.ts': ['oxfmt'] }],
];

/** Programs that no one may name by a path, each with the folder from which. */
const PATHS = [
  ['scripts/build', 'scripts/build.ts'],
  ['deploy', '../scripts/release.ts'],
  ['deploy', 'sandbox/aws/lambda-host.cjs'],
  ['sandbox', './test/bench/child.ts'],
] as const;

const LEAVES = ['core', 'contract', 'config', 'invocation', 'endpoint', 'redis', 'stream', 'mdm'].map(
  (name) => `lib/${name}/leaf.ts`,
);

let folder: string;
let violated: string[];

/** Runs a program of a package in the folder, and returns its output. */
function runPackage(program: string, ...args: string[]): string {
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  return stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'layers-'));
  const files = FORBIDDEN.flatMap(([, files]) => Object.entries(files));
  const leaves = [...LEAVES, 'sandbox/leaf.ts', 'scripts/leaf.ts', 'test/leaf.ts'].map((path) => [path, []] as const);
  for (const [path, imports] of [...leaves, ...files]) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), [...imports.map((to) => `import '${to}';`), 'export {};'].join('\n'));
  }
  for (const path of ['.dependency-cruiser.cjs', 'oxlint.config.ts', 'tsconfig.json', 'package.json'])
    await cp(join(ROOT, path), join(folder, path));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const folders = ['functions', 'lib', 'deploy', 'sandbox', 'scripts', 'test'];
  const found = runPackage('dependency-cruiser/bin/dependency-cruiser.mjs', '--output-type', 'json', ...folders);
  const { summary } = JSON.parse(found) as { summary: { violations: { rule: { name: string } }[] } };
  violated = summary.violations.map(({ rule }) => rule.name);
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

it.each(FORBIDDEN.map(([rule]) => rule))('the rule %s finds what it forbids', (rule) => {
  expect(violated).toContain(rule);
});

it('the linter refuses a program of a higher folder that is named by its path', async () => {
  const files = PATHS.map(([from], at) => `${from}/spawns-${at}.cjs`);
  for (const [at, [, path]] of PATHS.entries())
    await writeFile(join(folder, files[at]!), `module.exports = '${path}';\n`);

  const { diagnostics } = JSON.parse(runPackage('oxlint/bin/oxlint', '--format', 'json', ...files)) as {
    diagnostics: { filename: string; code: string }[];
  };

  expect(diagnostics.map(({ filename, code }) => [filename, code]).toSorted()).toEqual(
    files.toSorted().map((file) => [file, 'eslint-js(no-restricted-syntax)']),
  );
}, 60_000);

it('every rule is shown to bite', async () => {
  const { default: config } = (await import(new URL('../../.dependency-cruiser.cjs', import.meta.url).href)) as {
    default: { forbidden: { name: string }[] };
  };

  expect(FORBIDDEN.map(([rule]) => rule).sort()).toEqual(config.forbidden.map(({ name }) => name).sort());
});
