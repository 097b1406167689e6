import { readFile } from 'node:fs/promises';
import { faultsOfSecret } from '#lib/runtime/config.ts';
import { readArguments, ScriptError } from './arguments.ts';

/*
 * npm run secret -- check FILE: checks a connector configuration before you store it, like a function that reads it.
 * Names every fault, and prints no value.
 */

/** The largest secret. */
const MOST_BYTES = 65_536;

const { positionals } = readArguments({
  command: 'npm run secret',
  about: 'Checks a connector configuration before it is stored; names every fault, and prints no value.',
  takes: 'check <file>',
  positionals: 2,
  examples: ['npm run secret -- check secret.json'],
});

const [command, file] = positionals;
if (command !== undefined && command !== 'check') throw new ScriptError(`The command is check, not '${command}'`);
if (file === undefined) throw new ScriptError('Name the file: npm run secret -- check <file>');
await check(file);
console.log(`${file} is valid`);

async function check(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new ScriptError(`${path} cannot be read`);
  });
  if (Buffer.byteLength(text) > MOST_BYTES) throw new ScriptError(`${path} is larger than ${MOST_BYTES} bytes`);
  const faults = faultsOfSecret(parse(path, text));
  const lines = faults.map(({ pointer, message }) => `- ${pointer || 'the file'} ${message}`);
  if (lines.length > 0) throw new ScriptError([`${path} is invalid:`, ...lines].join('\n'));
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [place = ''] = / \(line \d+ column \d+\)/.exec((error as Error).message) ?? []; // the rest repeats the text
    throw new ScriptError(`${path} is not JSON${place}`);
  }
}
