import { readFile } from 'node:fs/promises';
import type { Operation } from '#lib/contract/operation.ts';
import type { GeneratedFile } from './generated-file.ts';

/** What every connection needs: its check, a database number, and the way through a cluster. */
const OF_CONNECTION = ['ping', 'select', 'asking', 'cluster|slots'];
/** The question what a server has, of servers that have what others lack. */
const OF_NEWER = 'command|docs';

/** docs/redis.md with its table of rights and the users that have them, and the user of the example of ElastiCache. */
export async function redisUserFiles(registry: readonly Operation[]): Promise<GeneratedFile[]> {
  const path = 'docs/redis.md';
  const example = 'docs/examples/elasticache.yml';
  const commands = registry
    .filter(({ rights }) => rights)
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  const streams = rightsOf(commands.filter(({ sinceRedis }) => !sinceRedis));
  const newer = rightsOf(commands.filter(({ sinceRedis }) => sinceRedis));
  const page = await readFile(path, 'utf8');
  const others = [...page.matchAll(/^ACL SETUSER (?:consumer|watcher|producer) .*-@all(.*)$/gm)].flatMap(([, rules]) =>
    rules!.match(/(?<=\+)\S+/g)!,
  );
  const all = [...streams, ...others].filter((right) => !OF_CONNECTION.includes(right));
  const functions = wordsOf([...OF_CONNECTION, ...new Set(all.sort())]);
  const contents = [
    [/^(ACL SETUSER streams on .*-@all).*$/m, wordsOf([...OF_CONNECTION, ...streams])],
    [/^(ACL SETUSER streams) \+.*$/m, wordsOf([...newer, OF_NEWER])],
    [/^(ACL SETUSER functions on .*-@all).*$/m, functions],
    [/^(\| operation \| rights \|\n\| --- \| --- \|)\n(?:\|.*\n)+/m, `\n${commands.flatMap(rowsOf).join('')}`],
  ].reduce((text, [place, words]) => replaced(text, place as RegExp, words as string, path), page);
  const template = replaced(await readFile(example, 'utf8'), /^( *AccessString: .*-@all).*$/m, functions, example);
  return [
    { path, contents, isByHand: true },
    { path: example, contents: template },
  ];
}

const wordsOf = (rights: readonly string[]) => rights.map((right) => ` +${right}`).join('');

const rightsOf = (commands: readonly Operation[]) =>
  [...new Set(commands.flatMap(({ rights }) => rights!.flatMap(({ needs }) => needs)))].sort();

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
