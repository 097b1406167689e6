import { isIP } from 'node:net';
import { readArguments, ScriptError } from './arguments.ts';
import { writeNewSecret } from './secret/new-secret.ts';
import { readSecret } from './secret/read-secret.ts';

/*
 * npm run secret -- new FILE: writes a connector configuration to fill in.
 * npm run secret -- check FILE: checks one before you store it, like a function that reads it. Names every fault, and
 * prints no value.
 */

const { positionals } = readArguments({
  command: 'npm run secret',
  about: 'Writes a connector configuration to fill in, or checks one: names every fault, and prints no value.',
  takes: 'new|check <file>',
  positionals: 2,
  examples: ['npm run secret -- new secret.json', 'npm run secret -- check secret.json'],
});

const [command, file] = positionals;
if (command !== undefined && command !== 'new' && command !== 'check') {
  throw new ScriptError(`The command is new or check, not '${command}'`);
}
if (file === undefined) throw new ScriptError(`Name the file: npm run secret -- ${command ?? 'check'} <file>`);
if (command === 'new') await writeNew(file);
else await check(file);

async function writeNew(path: string): Promise<void> {
  await writeNewSecret(path);
  console.log(`${path} is written: replace its addresses and passwords, then npm run secret -- check ${path}`);
}

async function check(path: string): Promise<void> {
  const { mdm, redis } = await readSecret(path);
  if (!mdm && !redis) throw new ScriptError(`${path} has neither an mdm nor a redis part, so it configures nothing`);
  if (mdm?.baseUrl && lacksSuffix(mdm.baseUrl)) {
    console.warn(
      '/mdm/baseUrl: the first label of the host usually ends in -mdm; compare it with the address of your tenant',
    );
  }
  console.log(`${path} is valid`);
}

/** Whether a host with labels is not one of a master data API's usual names. */
function lacksSuffix(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  const [first = '', ...rest] = hostname.split('.');
  return rest.length > 0 && isIP(hostname) === 0 && !first.endsWith('-mdm');
}
