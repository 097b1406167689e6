import { readFile } from 'node:fs/promises';
import { CONSUMER } from '#deploy/operations.ts';
import type { Operation } from '#lib/contract/operation.ts';
import type { GeneratedFile } from './generated-file.ts';

/** What every connection needs: its check, a database number, and the way through a cluster. */
const CONNECTION_COMMANDS = ['ping', 'select', 'asking', 'cluster|slots'];
/** The question what a server has, of servers that have what others lack. */
const NEWER_COMMANDS = 'command|docs';

/** Users of docs/redis.md that are for operations of the consumer, and those operations. */
const USERS = {
  consumer: [CONSUMER, 'stream-redrive'],
  watcher: ['stream-status', 'stream-entry-status'],
  producer: ['mdm-source-enqueue', 'mdm-source-enqueue-batch'],
};

/** docs/redis.md with its table of rights and the users that have them, and the user of the example of ElastiCache. */
export async function redisUserFiles(registry: readonly Operation[]): Promise<GeneratedFile[]> {
  const path = 'docs/redis.md';
  const example = 'docs/examples/elasticache.yml';
  const commands = registry
    .filter(({ group }) => group === 'streams')
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  const functions = wordsOf([...CONNECTION_COMMANDS, ...rightsOf(registry.filter(({ sinceRedis }) => !sinceRedis))]);
  const newer = rightsOf(commands.filter(({ sinceRedis }) => sinceRedis));
  const users = Object.entries(USERS).map(([user, names]) => {
    const rights = rightsOf(registry.filter(({ name }) => names.includes(name)));
    return [
      new RegExp(`^(ACL SETUSER ${user} on .*-@all).*$`, 'm'),
      wordsOf([...CONNECTION_COMMANDS, ...rights]),
    ] as const;
  });
  const streams = rightsOf(commands.filter(({ sinceRedis }) => !sinceRedis));
  const contents = [
    [/^(ACL SETUSER streams on .*-@all).*$/m, wordsOf([...CONNECTION_COMMANDS, ...streams])] as const,
    [/^(ACL SETUSER streams) \+.*$/m, wordsOf([...newer, NEWER_COMMANDS])] as const,
    ...users,
    [/^(ACL SETUSER functions on .*-@all).*$/m, functions] as const,
    [/^(\| operation \| rights \|\n\| --- \| --- \|)\n(?:\|.*\n)+/m, `\n${commands.flatMap(rowsOf).join('')}`] as const,
  ].reduce((text, [place, words]) => replaced(text, place, words, path), await readFile(path, 'utf8'));
  const template = replaced(await readFile(example, 'utf8'), /^( *AccessString: .*-@all).*$/m, functions, example);
  return [{ path, contents, isByHand: true }, { path: example, contents: template }, rightsFile(registry)];
}

/** The rights of each operation, for `stream-check`, which cannot read the contracts of others. */
function rightsFile(registry: readonly Operation[]): GeneratedFile {
  const known = registry.filter(({ rights, sinceRedis }) => rights && !sinceRedis);
  const rows = known.map((operation) => {
    const rights = operation.name === CONSUMER ? 'RIGHTS_OF_CONSUMER' : `'${rightsOf([operation]).join(' ')}'`;
    return `'${operation.name}': ${rights},`;
  });
  const ofConsumer = rightsOf(known.filter(({ name }) => name === CONSUMER)).join(' ');
  const reading = known.filter(({ readOnly }) => readOnly).map(({ name }) => `'${name}',`);
  const contents = `// Generated from the contracts by npm run generate. Do not edit.

/** The rights that a run needs, by itself, so that the consumer's bundle holds no others. */
export const RIGHTS_OF_CONSUMER =
  '${ofConsumer}';

/**
 * The rights of the Redis user that each operation needs in any kind of call, except commands that not every server
 * has.
 */
export const RIGHTS: Readonly<Record<string, string>> = {
${rows.join('\n')}
};

/** Those of them that only read. */
export const READING: readonly string[] = [
${reading.join('\n')}
];
`;
  return { path: 'lib/consumer/operator/rights.generated.ts', contents };
}

const wordsOf = (rights: readonly string[]) => rights.map((right) => ` +${right}`).join('');

const rightsOf = (commands: readonly Operation[]) =>
  [...new Set(commands.flatMap(({ rights = [] }) => rights.flatMap(({ needs }) => needs)))].sort();

const rowsOf = ({ name, rights }: Operation) =>
  rights!.map(({ when, needs }) => {
    const cells = needs
      .toSorted()
      .map((right) => `\`+${right.replace('|', '\\|')}\``)
      .join(', ');
    return `| \`${name}\`${when ? ` ${when}` : ''} | ${cells} |\n`;
  });

function replaced(text: string, place: RegExp, words: string, path: string): string {
  if (!place.test(text)) throw new Error(`${path} has no place for rights of Redis: ${place}`);
  return text.replace(place, (_, begin: string) => `${begin}${words}`);
}
