/*
 * A Lua script of the functions is a file of its own. It begins with an optional shebang and a head, which says what it
 * does and names its keys, its arguments, its reply and, in a line `Rights:`, the commands that its Redis user needs.
 * A line `-- @include ./name.lua` stands for the text of another file.
 */

const PARTS = /^(#!lua.*\n)?--\[\[\n([^]*?)\n\]\]\n([^]*)$/;
const RIGHTS = /^Rights: +(.*)$/m;
const INCLUDE = /^-- @include (\S+)$/m;

/** The JavaScript module of a script, which exports it as a `Lua` of `lib/redis/script.ts`. Comments stay behind. */
export function luaModule(path: string, text: string): string {
  const [, shebang = '', head = '', body = ''] = PARTS.exec(text) ?? [];
  const rights = RIGHTS.exec(head)?.[1];
  if (rights === undefined) throw new Error(`${path} has no head with a line of its rights`);
  const pieces = body.split(INCLUDE); // text, path, text, path, … text
  const paths = pieces.filter((_, at) => at % 2 === 1);
  const names = paths.map((_, at) => `included${at}`);
  const imports = paths.map((included, at) => `import ${names[at]} from ${JSON.stringify(included)};`);
  const source = pieces.map((piece, at) =>
    at % 2 === 1 ? `${names[(at - 1) / 2]}.source` : JSON.stringify(codeOf(piece)),
  );
  const allRights = [
    JSON.stringify(rights === 'none' ? [] : rights.split(' ')),
    ...names.map((name) => `${name}.rights`),
  ];
  return [
    ...imports,
    `const source = ${[JSON.stringify(shebang), ...source].join(' + ')};`,
    `const rights = [...new Set([${allRights.join(', ')}].flat())].sort();`,
    'export default { source, rights };',
  ].join('\n');
}

const codeOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/(^|\s)-- .*/, '').trim())
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
