import { isIP } from 'node:net';
import { readArguments, ScriptError } from './arguments.ts';
import { readSecret } from './secret/read-secret.ts';

/*
 * npm run secret -- check FILE: checks a connector configuration before you store it, like a function that reads it.
 * Names every fault, and prints no value.
 */

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
const { mdm, redis } = await readSecret(file);
if (!mdm && !redis) throw new ScriptError(`${file} has neither an mdm nor a redis part, so it configures nothing`);
if (mdm?.baseUrl && lacksSuffix(mdm.baseUrl))
  console.warn(
    '/mdm/baseUrl: the first label of the host usually ends in -mdm; compare it with the address of your tenant',
  );
console.log(`${file} is valid`);

/** Whether a host with labels is not one of a master data API's usual names. */
function lacksSuffix(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  const [first = '', ...rest] = hostname.split('.');
  return rest.length > 0 && isIP(hostname) === 0 && !first.endsWith('-mdm');
}
