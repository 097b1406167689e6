import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { text } from 'node:stream/consumers';
import { readArguments, ScriptError } from './arguments.ts';

/*
 * npm run --silent trace -- <function> < stack.txt: translates a stack trace from a log into lines of the sources.
 * Builds are reproducible, so `npm run build` at the deployed commit makes the right source maps.
 */

const PLACE = /[^\s(]*?([\w.-]+\.cjs):(\d+):(\d+)/g;
const maps = new Map<string, SourceMap | undefined>();
const {
  positionals: [name],
} = readArguments({
  command: 'npm run --silent trace',
  about: 'Translates a stack trace from a log into lines of the sources. Needs the build of the deployed commit.',
  takes: '<function> < <file>',
  positionals: 1,
  examples: ['npm run --silent trace -- stream-xadd < stack.txt'],
});

if (!name) throw new ScriptError('Name a function: see npm run trace -- --help');
if (!existsSync(`dist/${name}`)) {
  throw new ScriptError(`There is no bundle dist/${name}: is it the name of a function, and was npm run build run?`);
}
const stack = (await text(process.stdin)).replaceAll('\\n', '\n'); // as JSON logs have it
process.stdout.write(
  stack.replace(PLACE, (place, file: string, line, column) => sourceOf(file, +line, +column) ?? place),
);

function sourceOf(file: string, line: number, column: number): string | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`dist/${name}/${file}.map`));
  const origin = maps.get(file)?.findOrigin(line, column);
  return origin && 'fileName' in origin
    ? `${origin.fileName.replace(/^.*?(?=(node_modules|lib|functions)\/)/, '')}:${origin.lineNumber}`
    : undefined;
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
