import { globSync, readFileSync } from 'node:fs';
import { registry } from '../../functions/registry.ts';
import { readArguments } from '../arguments.ts';

/* npm run operations: what an operation lacks that CONTRIBUTING asks for, and the checks of types and files do not see. */

/** The parts of a contract that the check reads. */
export interface Listed {
  readonly name: string;
  readonly errors: readonly string[];
}

/** The files of the project that the check reads. */
export interface Files {
  /** Paths of contracts and handlers, under `functions/`. */
  readonly sources: readonly string[];
  /** Text of the pages in `docs/`, by path. */
  readonly pages: ReadonlyMap<string, string>;
}

/** Commands that an operation sends besides the one in its name. */
const FURTHER_COMMANDS: Readonly<Record<string, readonly string[]>> = { 'stream-xadd-batch': ['multi', 'exec'] };

/** Everything that is missing, a line each. */
export function findMissing(operations: readonly Listed[], files: Files): string[] {
  const listed = new Set(operations.map(({ name }) => folderOf(name)));
  const folders = files.sources.filter((path) => path.endsWith('/contract.ts')).map((path) => path.slice(0, -12));
  return [
    ...folders
      .filter((folder) => !listed.has(folder))
      .map((folder) => `functions/registry.ts lacks ${folder}/contract.ts`),
    ...operations.flatMap((operation) => [
      ...missingSources(operation, files),
      ...missingPage(operation, files),
      ...missingErrors(operation, files),
      ...missingCommands(operation, files),
    ]),
  ];
}

const folderOf = (name: string) => `functions/${name.replace('-', '/')}`;

function missingSources({ name }: Listed, { sources }: Files): string[] {
  const wanted = ['contract.ts', 'handler.ts'].map((file) => `${folderOf(name)}/${file}`);
  return wanted.filter((path) => !sources.includes(path)).map((path) => `${name} has no ${path}`);
}

/** An MDM operation has a page, a stream command a section with its calls, an operation of the consumer a mention in its guide. */
function missingPage({ name }: Listed, { pages }: Files): string[] {
  const short = name.slice(name.indexOf('-') + 1);
  if (name.startsWith('mdm-')) {
    return pages.get(`docs/mdm/${short}.md`)?.includes('\n## By example\n')
      ? []
      : [
          `docs/mdm/${short}.md has no call of ${name}: add one to scripts/generate/document/mdm-calls.ts, then npm run document`,
        ];
  }
  if (short.startsWith('x')) {
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

/** A Redis user made as docs/redis.md says may run the command. */
function missingCommands({ name }: Listed, { pages }: Files): string[] {
  const [, command] = /^stream-(x.*)$/.exec(name) ?? [];
  if (!command) return [];
  const users = [...(pages.get('docs/redis.md') ?? '').matchAll(/^ACL SETUSER streams (.*)$/gm)];
  const allowed = users.flatMap(([, words]) => words!.split(' '));
  const commands = [command.replace(/-batch$/, '').replace('-', '|'), ...(FURTHER_COMMANDS[name] ?? [])];
  return commands
    .filter((word) => !allowed.includes(`+${word}`))
    .map((word) => `docs/redis.md: the user "streams" lacks +${word} for ${name}`);
}

if (import.meta.main) {
  readArguments({
    command: 'npm run operations',
    about: 'Checks that no operation lacks what CONTRIBUTING asks for.',
    examples: ['npm run operations'],
  });
  const filesAt = (pattern: string) => globSync(pattern).map((path) => path.replaceAll('\\', '/'));
  const pages = filesAt('docs/**/*.md').map((path) => [path, readFileSync(path, 'utf8')] as const);
  const missing = findMissing(registry, { sources: filesAt('functions/*/*/*.ts'), pages: new Map(pages) });
  if (missing.length > 0) {
    console.error(missing.join('\n'));
    process.exitCode = 1;
  }
}
