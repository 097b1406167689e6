import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForBrowser } from './browser-bundle.ts';
import type { Bundle } from './bundle.ts';
import { leftOutOf } from './leave-out.ts';
import type { LeftOut } from './left-out.ts';

/** A package in a bundle. */
interface Package {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Texts of its licence and notice files. */
  readonly texts: readonly string[];
}

/** The same, with the parts of it that are in the bundle. */
interface BundledPackage extends Package {
  readonly leftOut: readonly LeftOut[];
  /** Whether everything that others import of it is left out. */
  readonly isLeftOut: boolean;
}

const IN_PACKAGES = /.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENSE_FILE = /^(licen[cs]e|notice|copying)/i;
const BROWSER = 'browser-bundle:';
const MIT_TEXT = readFileSync(new URL('./mit-license.txt', import.meta.url), 'utf8').trim();
const project = readPackage(fileURLToPath(new URL('../..', import.meta.url)));

/**
 * Writes the contents of a bundle beside it: `bom.cdx.json` (CycloneDX 1.6) and `NOTICES.txt`, the licences of all
 * packages. Both list what the bundler used, and are the same for the same bundle.
 */
export async function writeBill(name: string, bundle: Bundle, directory: string): Promise<void> {
  const packages = await packagesOf(bundle);
  await writeFile(join(directory, 'bom.cdx.json'), JSON.stringify(billOf(name, packages)));
  await writeFile(join(directory, 'NOTICES.txt'), noticesOf(name, packages));
}

/** The packages with a part in an output, and those that are left out, by name. */
async function packagesOf(bundle: Bundle): Promise<BundledPackage[]> {
  const rows = leftOutOf(bundle);
  const isLeftOut = (path: string) => rows.some((row) => path.endsWith(`node_modules/${row.package}/${row.module}`));
  const bundledPaths = Object.values(bundle.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path]!.bytesInOutput > 0),
  );
  const forBrowser = bundledPaths.filter((path) => path.startsWith(BROWSER)).map((path) => path.slice(BROWSER.length));
  const nested = await Promise.all(forBrowser.map(async (path) => (await bundleForBrowser(path)).inputs));
  const bundled = packagesAt([...bundledPaths.filter((path) => !isLeftOut(path)), ...nested.flat()]);
  const all = new Map([...packagesAt(Object.keys(bundle.inputs).filter(isLeftOut)), ...bundled]);
  return [...all.keys()].sort().map((id) => {
    const one = all.get(id)!;
    const leftOut = rows.filter((row) => row.package === one.name);
    return { ...one, leftOut, isLeftOut: !bundled.has(id) };
  });
}

/** The packages of modules, each once: a version may be installed twice. */
function packagesAt(modules: readonly string[]): Map<string, Package> {
  const folders = new Set(modules.flatMap((path) => IN_PACKAGES.exec(path)?.[0].replace(/^[a-z-]+:/, '') ?? []));
  return new Map([...folders].map(readPackage).map((one) => [purlOf(one), one]));
}

function readPackage(folder: string): Package {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Omit<Package, 'texts'>;
  const { name, version, license } = manifest;
  if (typeof license !== 'string') throw new Error(`${name} ${version} names no licence: see ${folder}`);
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file) && !/\.[cm]?[jt]s$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return { name, version, license, texts };
}

const purlOf = ({ name, version }: Package) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function billOf(name: string, packages: readonly BundledPackage[]) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version: project.version, 'bom-ref': name } },
    components: packages.map((one) => ({
      type: 'library',
      'bom-ref': purlOf(one),
      name: one.name,
      version: one.version,
      licenses: [/^[\w.+-]+$/.test(one.license) ? { license: { id: one.license } } : { expression: one.license }],
      purl: purlOf(one),
      ...(one.isLeftOut && { scope: 'excluded' }),
      ...(one.leftOut.length > 0 && { pedigree: { notes: `Bundled without ${one.leftOut.map(explain).join('; ')}` } }),
    })),
    dependencies: [{ ref: name, dependsOn: packages.map(purlOf) }],
  };
}

const explain = ({ module, keeps, why }: LeftOut) => `${keeps ? 'most of ' : ''}${module} (${why})`;

/** Some packages name their licence without its text; MIT requires the text in every copy. */
function textOf(license: string, { name }: Pick<BundledPackage, 'name'>): string {
  if (license === 'MIT') return MIT_TEXT;
  throw new Error(`${name} holds no text of its licence ${license}: add it to the bill of materials`);
}

/** Shared terms of the Apache License and of MIT. Copies differ in spaces, quotes and copyright holders. */
const TERMS =
  /TERMS AND CONDITIONS FOR USE[^]*?(?=\s*END OF TERMS AND CONDITIONS|$)|Permission is hereby granted, free of charge,[^]*DEALINGS IN\s+THE\s+SOFTWARE\./;
const COPYRIGHT = /^ *Copyright (?:\(c\)|\d{4}).*$/gim;

/** Prints equal texts and shared terms once, with all their packages, and each package's copyright. */
function noticesOf(name: string, packages: readonly BundledPackage[]): string {
  const parts = new Map<string, { text: string; holders: string[] }>();
  for (const { texts, license, ...one } of packages.filter(({ isLeftOut }) => !isLeftOut)) {
    for (const text of texts.length > 0 ? texts : [textOf(license, one)]) {
      const terms = TERMS.exec(text)?.[0].replaceAll(/\s+/g, ' ').replaceAll("'", '"');
      const copyrights = terms === undefined ? [] : (text.replace(TERMS, '').match(COPYRIGHT) ?? []);
      const part = parts.get(terms ?? text) ?? {
        text: terms === undefined ? text : text.replaceAll(COPYRIGHT, '').replaceAll(/\n{3,}/g, '\n\n'),
        holders: [],
      };
      part.holders.push(`${one.name} ${one.version} (${license})`, ...copyrights.map((line) => `  ${line.trim()}`));
      parts.set(terms ?? text, part);
    }
  }
  const sections = [...parts.values()].map(({ text, holders }) => `${holders.join('\n')}\n\n${text}\n`);
  const leftOut = packages.flatMap((one) =>
    one.leftOut.map((row) => `  ${one.name} ${one.version}: ${explain(row)}\n`),
  );
  const head = `${name} is part of mdm-stream-functions (MIT). It contains these packages.\n`;
  const without =
    leftOut.length > 0 ? `It contains them as they were published, without these modules:\n\n${leftOut.join('')}` : '';
  return [head + without, ...sections].join(`\n${'-'.repeat(80)}\n\n`);
}
