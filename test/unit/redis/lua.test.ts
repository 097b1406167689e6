import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { luaModule } from '#scripts/build/lua-module.ts';

const files = readdirSync('lib', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.lua'));
const CALL = /(?:redis\.p?call\(|= \{\s*)'([A-Z]+)'(?:, '([A-Z]+)')?/g;

/** The commands that a text calls by name. */
function commandsIn(text: string): string[] {
  const calls = Array.from(text.matchAll(CALL), ([, command = '', word]) =>
    ['XINFO', 'XGROUP'].includes(command) ? `${command}|${word}` : command,
  );
  return [...new Set(calls.map((one) => one.toLowerCase()))].sort();
}

it.each(files)('the head of lib/%s names the rights for the commands that the script calls', (path) => {
  const text = readFileSync(join('lib', path), 'utf8');
  const rights = /^Rights: (.*)$/m.exec(text)![1]!.split(' ');

  // end-of-stream.lua is told which command to call
  const called = basename(path) === 'end-of-stream.lua' ? ['xrange', 'xrevrange'] : commandsIn(text);
  expect(rights).toEqual(called.length === 0 ? ['none'] : called);
});

it.each(files)('lib/%s has short lines, and takes its values as arguments', (path) => {
  const text = readFileSync(join('lib', path), 'utf8');

  expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
  expect(text).not.toContain('${');
});

it('a script becomes a module with the text and rights of its includes, without comments', async () => {
  const module = luaModule(
    'a.lua',
    '#!lua\n--[[\nDoes it.\n\nRights: xadd\n]]\n-- @include ./b.lua\n-- why\nif a then -- why\n  b()\nend\n',
  );

  expect(module).toBe(
    [
      'import included0 from "./b.lua";',
      'const source = "#!lua\\n" + "" + included0.source + "if a then\\nb()\\nend\\n";',
      'const rights = [...new Set([["xadd"], included0.rights].flat())].sort();',
      'export default { source, rights };',
    ].join('\n'),
  );
});

it.each(['return 1', '--[[\nDoes it.\n]]\nreturn 1', '--[[\nRights: xadd\n]]'])(
  'a script whose head names no rights is refused: %j',
  (text) => expect(() => luaModule('a.lua', text)).toThrow('a.lua has no head with a line of its rights'),
);
