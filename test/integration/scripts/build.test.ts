import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

/*
 * npm run build in a copy of the sources, with some functions: two stream commands, one of the MDM, and the page of the
 * API, which holds a script for browsers.
 */

const NAMES = ['api-docs', 'mdm-search', 'stream-xack', 'stream-xadd'];
const SOURCES = [
  'docs/openapi.json',
  'functions',
  'lib',
  'package.json',
  'package-lock.json',
  'scripts',
  'sandbox',
  'tsconfig.json',
];

const checkout = mkdtempSync(join(tmpdir(), 'build-'));
beforeAll(() => {
  for (const path of SOURCES) cpSync(path, join(checkout, path), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'));
});
afterAll(() => rmSync(checkout, { recursive: true }));

/** Bundles those of the functions that are stale; gives the names of those whose bundle is another one then. */
function rebuild(form: 'release' | 'local', names = NAMES): string[] {
  const before = new Map(NAMES.map((name) => [name, madeAt(form, name)]));
  const only = names.flatMap((name) => ['--only', name]);
  const args = ['scripts/build.ts', '--stale', ...(form === 'local' ? ['--local'] : []), ...only];
  execFileSync(process.execPath, args, { cwd: checkout, stdio: 'pipe' });
  return names.filter((name) => madeAt(form, name) !== before.get(name));
}

const folderOf = (form: 'release' | 'local', name: string) =>
  join(checkout, form === 'local' ? '.build/functions' : 'dist', name);
const madeAt = (form: 'release' | 'local', name: string) =>
  statSync(folderOf(form, name), { throwIfNoEntry: false })?.ino;
const change = (path: string) => appendFileSync(join(checkout, path), '\n');

describe('a stale bundle', () => {
  beforeAll(() => void rebuild('local'), 60_000);

  it('a bundle is stale if it is missing, or reaches a source whose contents changed', () => {
    expect(rebuild('local')).toEqual([]);
    change('lib/redis/pool.ts');
    expect(rebuild('local')).toEqual(['stream-xack', 'stream-xadd']);
    expect(rebuild('local')).toEqual([]);
  }, 60_000);

  it('a bundle is stale if its contract, or a schema that the contract imports, changed', () => {
    change('lib/contract/parameters/entry.ts');
    expect(rebuild('local')).toContain('stream-xadd');
    change('functions/mdm/search/contract.ts');
    expect(rebuild('local')).toEqual(['mdm-search']);
  }, 60_000);

  it('a bundle is stale if its page for browsers changed, and any is if package versions did', () => {
    change('functions/api/docs/page/main.ts');
    expect(rebuild('local')).toEqual(['api-docs']);
    change('package-lock.json');
    expect(rebuild('local')).toEqual(NAMES);
  }, 60_000);

  it('a bundle of a release is stale in the same cases', () => {
    const names = ['stream-xack', 'stream-xadd'];
    expect(rebuild('release', names)).toEqual(names);
    change('functions/stream/xadd/handler.ts');
    expect(rebuild('release', names)).toEqual(['stream-xadd']);
  }, 60_000);
});

describe('local bundles', () => {
  beforeAll(() => {
    change('package-lock.json');
    rebuild('local');
  }, 60_000);

  it('local bundles share common files by hard links', () => {
    const filesOf = (name: string) =>
      readdirSync(folderOf('local', name)).map(
        (file) => [file, statSync(join(folderOf('local', name), file)).ino] as const,
      );
    const [xack, xadd] = [new Map(filesOf('stream-xack')), new Map(filesOf('stream-xadd'))];
    const shared = [...xack].filter(([file, inode]) => xadd.get(file) === inode && file.endsWith('.cjs'));

    expect(shared.length).toBeGreaterThan(3);
    expect(xack.get('index.cjs')).not.toBe(xadd.get('index.cjs'));
  });

  it('local bundles refer to their source maps, whose sources exist', () => {
    const folder = folderOf('local', 'stream-xadd');
    const code = readFileSync(join(folder, 'index.cjs'), 'utf8');

    const map = /^\/\/# sourceMappingURL=(.+)$/m.exec(code)![1]!;
    const { sources } = JSON.parse(readFileSync(join(folder, map), 'utf8')) as { sources: string[] };
    const own = sources.filter((path) => path.endsWith('xadd/handler.ts'));
    expect(own.map((path) => statSync(join(folder, path)).isFile())).toEqual([true]);
  });
});

it('a function of the local stack is bundled when it is called, and again after one of its sources changed', () => {
  const script = `
    const { readFileSync, writeFileSync } = require('node:fs');
    const { 'api-openapi': handler } = require('./scripts/build/on-demand.cjs');
    const call = async () => {
      const requestContext = { http: { method: 'GET', path: '/openapi.json' } };
      const event = { version: '2.0', routeKey: 'GET /openapi.json', rawPath: '/openapi.json', headers: {}, requestContext };
      const { body } = await handler(event, { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 5000 });
      return JSON.parse(body).info.title;
    };
    (async () => {
      const titles = [await call()];
      const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
      document.info.title = 'Changed';
      writeFileSync('docs/openapi.json', JSON.stringify(document));
      await new Promise((resolve) => setTimeout(resolve, 600));
      titles.push(await call(), await call());
      console.log(JSON.stringify(titles));
    })();`;

  const titles = execFileSync(process.execPath, ['-e', script], { cwd: checkout, encoding: 'utf8' });

  const { info } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { info: { title: string } };
  expect(JSON.parse(titles)).toEqual([info.title, 'Changed', 'Changed']);
}, 60_000);
