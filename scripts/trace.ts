import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { text } from 'node:stream/consumers';

/*
 * npm run --silent trace -- <function> < stack.txt: the same with lines of the sources, for a stack out of a log. Builds
 * are reproducible, so `npm run build` at the deployed commit gives the maps of what was deployed.
 */

const PLACE = /[^\s(]*?([\w.-]+\.cjs):(\d+):(\d+)/g;
const maps = new Map<string, SourceMap | undefined>();
const [name] = process.argv.slice(2);

if (!name) {
  console.error('npm run --silent trace -- <function> < stack.txt');
  process.exitCode = 1;
} else {
  const stack = (await text(process.stdin)).replaceAll('\\n', '\n'); // as JSON logs have it
  process.stdout.write(
    stack.replace(PLACE, (place, file: string, line, column) => sourceOf(file, +line, +column) ?? place),
  );
}

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
