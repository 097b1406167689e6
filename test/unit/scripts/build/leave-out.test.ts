import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { bundleFunction } from '#scripts/build/bundle.ts';
import { leaveOut, leftOutOf } from '#scripts/build/leave-out.ts';
import { LEFT_OUT, type LeftOut } from '#scripts/build/left-out.ts';

const require = createRequire(import.meta.url) as (path: string) => Record<string, () => unknown>;
const HEAVY = {
  esm: `export class Heavy {}\nexport const lift = () => 'lifted';\nexport default 7;`,
  commonjs: `exports.Heavy = class {};\nexports.lift = () => 'lifted';`,
};
/** The other module of the package, which imports it. */
const INDEX = `import * as heavy from './heavy.js';
export const make = () => new heavy.Heavy();
export const lift = () => heavy.lift();
export const look = () => heavy.Heavy.create;
export const isHeavy = () => ({}) instanceof heavy.Heavy;`;

const COMMONJS_INDEX = INDEX.replace(/^import .*$/m, `const heavy = require('./heavy.js');`).replaceAll(
  'export const ',
  'exports.',
);

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'leave-out-'));
  writePackage('tools', { 'heavy.js': HEAVY.esm, 'index.js': INDEX });
});
afterEach(() => rmSync(work, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(work, path)), { recursive: true });
  writeFileSync(join(work, path), text);
}

function writePackage(name: string, modules: Record<string, string>, version = '1.2.3'): void {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, version, main: './index.js' }));
  for (const [path, text] of Object.entries(modules)) write(`node_modules/${name}/${path}`, text);
}

const row = (changes: Partial<LeftOut> = {}): LeftOut => ({
  package: 'tools',
  version: '1.2.3',
  module: 'heavy.js',
  sha256: createHash('sha256').update(HEAVY.esm).digest('hex'),
  importedBy: ['tools/index.js'],
  why: 'nothing is lifted',
  ...changes,
});

async function bundle(rows: readonly LeftOut[], source = `export * from 'tools';`) {
  const stdin = { contents: source, resolveDir: work };
  const options = { bundle: true, format: 'cjs', platform: 'node', logLevel: 'silent', absWorkingDir: work } as const;
  return build({ ...options, stdin, outfile: join(work, 'out.cjs'), plugins: [leaveOut(rows)] });
}

async function load(rows: readonly LeftOut[], source?: string) {
  await bundle(rows, source);
  return require(join(work, 'out.cjs'));
}

describe.each(['esm', 'commonjs'] as const)('a left-out module, written as %s', (kind) => {
  const rows = [row({ sha256: createHash('sha256').update(HEAVY[kind]).digest('hex') })];
  beforeEach(() =>
    writePackage('tools', { 'heavy.js': HEAVY[kind], 'index.js': kind === 'esm' ? INDEX : COMMONJS_INDEX }),
  );

  it('a left-out module throws when it is used, and says what is left out and why', async () => {
    const tools = await load(rows);

    for (const use of ['make', 'lift', 'look']) {
      expect(tools[use]).toThrow('tools/heavy.js is left out of this bundle: nothing is lifted');
    }
  });

  it('no object is an instance of a left-out class', async () => {
    const tools = await load(rows);

    expect(tools.isHeavy!()).toBe(false);
  });
});

it('a left-out module keeps the parts that its row names, and throws for the rest', async () => {
  writePackage('tools', { 'heavy.js': HEAVY.esm, 'index.js': INDEX, 'light.js': `export const lift = () => 'light';` });

  const tools = await load([row({ keeps: `export { lift } from './light.js';` })]);

  expect(tools.lift!()).toBe('light');
  expect(tools.make).toThrow('tools/heavy.js is left out');
});

describe('the build', () => {
  it.each([
    [
      'the text of the module changed',
      { 'heavy.js': `${HEAVY.esm}\n` },
      /tools\/heavy\.js is not the text that was checked/,
    ],
    [
      'another module of a package imports it',
      { 'index.js': `${INDEX}\nexport * from './other.js';`, 'other.js': `export { default } from './heavy.js';` },
      /is imported by tools\/other\.js, beside the modules that were checked/,
    ],
    [
      'one of the modules no longer imports it',
      { 'index.js': `export * from './other.js';`, 'other.js': INDEX },
      /is no longer imported by tools\/index\.js/,
    ],
    [
      'its package is bundled without it',
      { 'index.js': `export const lift = 1;` },
      /is not in a bundle of its package/,
    ],
  ])('the build fails if %s', async (_, modules, fault) => {
    writePackage('tools', modules);

    await expect(bundle([row()])).rejects.toThrow(fault);
  });

  it('the build fails if a second copy of the package differs', async () => {
    writePackage('crane', { 'index.js': `export { lift as raise } from 'tools';` });
    writePackage('crane/node_modules/tools', { 'heavy.js': 'export const lift = 2;', 'index.js': INDEX });

    const both = bundle([row()], `export * from 'tools'; export * from 'crane';`);

    await expect(both).rejects.toThrow(/tools\/heavy\.js is not the text that was checked/);
  });

  it('the build warns if the package has another version but the same module', async () => {
    writePackage('tools', {}, '1.3.0');

    const { warnings } = await bundle([row()]);

    expect(warnings.map(({ text }) => text)).toEqual(['tools is 1.3.0: heavy.js was left out of 1.2.3']);
  });

  it('the build asks nothing of a bundle without the package', async () => {
    const { errors, warnings } = await bundle([row()], 'export const lift = 1;');

    expect([errors, warnings]).toEqual([[], []]);
  });
});

describe('a bundle of ours', () => {
  it('a bundle holds every module of a package as published, except those in the table', async () => {
    const metafile = await bundleFunction('functions/consumer/consumer/handler.ts', join(work, 'dist'));

    const left = leftOutOf(metafile).map((row) => `node_modules/${row.package}/${row.module}`);
    const modules = Object.entries(metafile.inputs).filter(([path]) => path.startsWith('node_modules/'));
    const changed = modules.filter(([path, { bytes }]) => bytes !== statSync(path).size).map(([path]) => path);
    expect(modules.length).toBeGreaterThan(200);
    expect(changed.sort()).toEqual(left.sort());
    expect(left).toHaveLength(LEFT_OUT.length);
  }, 30_000);

  it('the table of left-out modules stays short', () => {
    expect(LEFT_OUT.length).toBeLessThanOrEqual(20);
  });
});
