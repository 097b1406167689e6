import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { build, type Metafile, type PartialMessage, type Plugin } from 'esbuild';
import { LEFT_OUT, type LeftOut } from './left-out.ts';

/** A `node_modules` folder, and a path below it, with slashes. */
const IN_PACKAGES = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\/(.+)$/;

const idOf = (row: Pick<LeftOut, 'package' | 'module'>) => `${row.package}/${row.module}`;

/** Path of a file below the innermost `node_modules`. */
function packageModuleAt(path: string): { id: string; package: string; folder: string } | undefined {
  const [, name, module] = IN_PACKAGES.exec(path.replaceAll('\\', '/')) ?? [];
  if (name === undefined) return undefined;
  return { id: `${name}/${module!}`, package: name, folder: path.slice(0, -module!.length) };
}

/**
 * Leaves modules out of a bundle. Fails if a row no longer matches: the module's text, the modules that import it, or
 * its existence. Warns if a package has another version.
 */
export function leaveOut(rows: readonly LeftOut[] = LEFT_OUT): Plugin {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return {
    name: 'leave-out',
    setup(builder) {
      builder.initialOptions.metafile = true;
      builder.onLoad({ filter: filterOf(rows) }, async ({ path }) => {
        const module = packageModuleAt(path);
        const row = module && byId.get(module.id);
        if (!row) return undefined;
        const { version } = JSON.parse(readFileSync(`${module.folder}package.json`, 'utf8')) as { version: string };
        const warnings =
          version === row.version
            ? []
            : [{ text: `${row.package} is ${version}: ${row.module} was left out of ${row.version}` }];
        if (hashOf(path) !== row.sha256)
          return { warnings, errors: [changed(row, 'is not the text that was checked')] };
        return { contents: await standIn(path, row), loader: 'js', warnings };
      });
      builder.onEnd(({ metafile, errors }) => {
        if (errors.length > 0 || !metafile) return undefined;
        const modules = modulesOf(metafile);
        return { errors: rows.flatMap((row) => faultsOf(row, modules, byId)) };
      });
    },
  };
}

/** The files of these rows alone: esbuild asks for no other, which saves most of the time of a build. */
function filterOf(rows: readonly LeftOut[]): RegExp {
  const paths = rows.map((row) =>
    idOf(row)
      .replaceAll(/[^\w/@-]/g, '\\$&')
      .replaceAll('/', '[\\\\/]'),
  );
  return new RegExp(`[\\\\/]node_modules[\\\\/](?:${paths.join('|')})$`);
}

/** The rows that apply to a bundle. */
export function leftOutOf({ inputs }: Metafile, rows: readonly LeftOut[] = LEFT_OUT): LeftOut[] {
  const ids = new Set(Object.keys(inputs).map((path) => packageModuleAt(path)?.id));
  return rows.filter((row) => ids.has(idOf(row)));
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

const changed = (row: LeftOut, what: string): PartialMessage => ({
  text: `leave-out: ${idOf(row)} ${what} (${row.version}): check its row in scripts/build/left-out.ts`,
});

/** A module of a package in a bundle. */
interface PackageModule {
  readonly path: string;
  readonly id: string;
  readonly package: string;
  readonly imports: readonly string[];
}

function modulesOf({ inputs }: Metafile): PackageModule[] {
  return Object.entries(inputs).flatMap(([path, { imports }]) => {
    const module = packageModuleAt(path);
    return module ? [{ ...module, path, imports: imports.map((one) => one.path) }] : [];
  });
}

function faultsOf(row: LeftOut, modules: readonly PackageModule[], leftOut: ReadonlyMap<string, LeftOut>) {
  if (!modules.some((module) => module.package === row.package)) return [];
  const targets = new Set(modules.filter(({ id }) => id === idOf(row)).map(({ path }) => path));
  if (targets.size === 0) return [changed(row, 'is not in a bundle of its package')];
  const importers = modules.filter(({ imports }) => imports.some((path) => targets.has(path)));
  const found = new Set(importers.map(({ id }) => id));
  const expected = row.importedBy.filter((id) => !leftOut.has(id) && modules.some((module) => module.id === id));
  const others = [...found].filter((id) => !row.importedBy.includes(id));
  const missing = expected.filter((id) => !found.has(id));
  return [
    ...others.map((id) => changed(row, `is imported by ${id}, beside the modules that were checked`)),
    ...missing.map((id) => changed(row, `is no longer imported by ${id}, one of the modules that were checked`)),
  ];
}

/**
 * The replacement of a module: the exports that it keeps, and for the others a value that throws when it is called,
 * constructed or accessed. Nothing is an instance of it.
 */
async function standIn(path: string, row: LeftOut): Promise<string> {
  const { keeps = '' } = row;
  const kept = await exportsOf(keeps);
  const names = (await exportsOf(await readFile(path, 'utf8'))).filter((name) => !kept.includes(name));
  const message = `${idOf(row)} is left out of this bundle: ${row.why}`;
  const leftOut = `
    function use() { throw new Error(${JSON.stringify(message)}); }
    const isAsked = (name) => typeof name === 'symbol' || name === 'prototype'; // by instanceof
    const leftOut = new Proxy(use, { get: (_, name) => (isAsked(name) ? use[name] : use()) });`;
  if (names.length > 0)
    return `${keeps}${leftOut}\nexport { ${names.map((name) => `leftOut as ${name}`).join(', ')} };`;
  if (keeps !== '') return keeps;
  const handler = '{ get: (module, name) => module[name] ?? leftOut }';
  return `${leftOut}\nmodule.exports = new Proxy({ __esModule: true }, ${handler});`;
}

/** The export names of an ES module; none for a CommonJS module. */
async function exportsOf(contents: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents },
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const isEsModule = Object.values(metafile.inputs).every(({ format }) => format === 'esm');
  return isEsModule ? Object.values(metafile.outputs).flatMap(({ exports }) => exports) : [];
}
