import { globSync, readFileSync } from 'node:fs';
import { registry } from '#functions/registry.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { STOP_REASONS } from '#lib/contract/stop-reasons.ts';
import { ConnectorSecret } from '#lib/config/config.schema.ts';
import { readArguments } from '../arguments.ts';

/* npm run check -- operations: names what an operation lacks of CONTRIBUTING's steps, if no other check sees it. */

/** The parts of a contract that the check reads. */
export type Listed = Pick<Operation, 'group' | 'errors' | 'rights' | 'knownFrom'> & { readonly name: string };

/** The files of the project that the check reads. */
export interface Files {
  /** Paths of contracts and handlers, under `functions/`. */
  readonly sources: readonly string[];
  /** Text of the pages in `docs/`, by path. */
  readonly pages: ReadonlyMap<string, string>;
}

/** Everything that is missing, one item per line; `terms` are what a guide must explain. */
export function findMissing(operations: readonly Listed[], files: Files, terms: readonly string[] = []): string[] {
  const listed = new Set(operations.map(({ name }) => folderOf(name, files)));
  const folders = files.sources.filter((path) => path.endsWith('/contract.ts')).map((path) => path.slice(0, -12));
  return [
    ...folders
      .filter((folder) => !listed.has(folder))
      .map((folder) => `functions/registry.ts lacks ${folder}/contract.ts`),
    ...operations.flatMap((operation) => [
      ...missingSources(operation, files),
      ...missingPage(operation, files),
      ...missingErrors(operation, files),
      ...((operation.group === 'streams' || operation.group === 'consumer') && !operation.rights
        ? [`${folderOf(operation.name, files)}/contract.ts names no rights of the Redis user`]
        : []),
      ...(operation.name.startsWith('mdm-') && Object.keys(operation.knownFrom ?? {}).length === 0
        ? [`${folderOf(operation.name, files)}/contract.ts does not say what is known of the API from whom (knownFrom)`]
        : []),
    ]),
    ...unexplained(terms, files.pages),
  ];
}

/** An operation is in the folder of its connector or, if it belongs to the consumer, in `functions/consumer/`. */
function folderOf(name: string, { sources }: Files): string {
  const folder = `functions/${name.replace('-', '/')}`;
  const ofConsumer = folder.replace(/^functions\/\w+/, 'functions/consumer');
  return !sources.includes(`${folder}/contract.ts`) && sources.includes(`${ofConsumer}/contract.ts`)
    ? ofConsumer
    : folder;
}

function missingSources({ name }: Listed, files: Files): string[] {
  const wanted = ['contract.ts', 'handler.ts'].map((file) => `${folderOf(name, files)}/${file}`);
  return wanted.filter((path) => !files.sources.includes(path)).map((path) => `${name} has no ${path}`);
}

/**
 * An MDM operation has a page, a stream command a section with its calls, an operation of the consumer a mention in its
 * guide.
 */
function missingPage({ name, group }: Listed, { pages }: Files): string[] {
  const short = name.slice(name.indexOf('-') + 1);
  if (name.startsWith('mdm-')) {
    return pages.get(`docs/mdm/${short}.md`)?.includes('\n## By example\n')
      ? []
      : [
          `docs/mdm/${short}.md has no call of ${name}: add one to scripts/generate/document/mdm-calls.ts, then ` +
            'npm run document',
        ];
  }
  if (group === 'streams') {
    return pages.get('docs/stream-commands.md')?.includes(`\n## ${short.replace('-', ' ').toUpperCase()}\n`)
      ? []
      : [`docs/stream-commands.md has no call of ${name}: add one to scripts/generate/document, then npm run document`];
  }
  const isMentioned = [...pages].some(
    ([path, text]) => /^docs\/[\w-]+\.md$/.test(path) && text.includes(`\`${name}\``),
  );
  return isMentioned ? [] : [`No guide in docs/ mentions \`${name}\``];
}

function missingErrors({ name, errors }: Listed, { pages }: Files): string[] {
  const page = pages.get('docs/errors.md') ?? '';
  return errors
    .filter((type) => !page.includes(`\`${type}\``))
    .map((type) => `docs/errors.md has no row for ${type} of ${name}`);
}

/** Pages that explain: not those that show calls, whose text is made from the contracts. */
const isGuide = ([path]: [string, string]) =>
  /^docs\/(guides\/)?[\w-]+\.md$/.test(path) && !path.endsWith('commands.md');

/** Tables that are made from the contracts explain nothing. */
const GENERATED = /<!-- (\w+): made by npm run generate -->[\s\S]*?<!-- \/\1 -->/g;

/** Settings and stop reasons that no page names in code, or in bold as the settings of the consumer are. */
function unexplained(terms: readonly string[], pages: Files['pages']): string[] {
  const text = [...pages].filter(isGuide).join('\n').replaceAll(GENERATED, '');
  return terms
    .filter((term) => !new RegExp(`(?:[\`"./]|\\*\\*(?:[^*\\n]*\\b)?)${term}\\b`).test(text))
    .map((term) => `No guide in docs/ explains \`${term}\``);
}

/** The names of all properties in a schema, at any depth. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)];
}

if (import.meta.main) {
  readArguments({
    command: 'npm run check -- operations',
    about: 'Checks that no operation lacks what CONTRIBUTING asks for.',
    examples: ['npm run check -- operations'],
  });
  const filesAt = (pattern: string) => globSync(pattern).map((path) => path.replaceAll('\\', '/'));
  const pages = filesAt('docs/**/*.md').map((path) => [path, readFileSync(path, 'utf8')] as const);
  const ofConsumer = registry.filter(({ group }) => group === 'consumer').map(({ input }) => input);
  const terms = new Set([...namesIn(ConnectorSecret), ...namesIn(ofConsumer), ...STOP_REASONS]);
  const files = { sources: filesAt('functions/*/*/*.ts'), pages: new Map(pages) };
  const missing = findMissing(registry, files, [...terms]);
  if (missing.length > 0) {
    console.error(missing.join('\n'));
    process.exitCode = 1;
  }
}
