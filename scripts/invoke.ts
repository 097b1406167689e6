import { readFileSync } from 'node:fs';
import { registry } from '#functions/registry.ts';
import { parseExact } from '#lib/core/json.ts';
import { attempt, readArguments, ScriptError, stop } from './arguments.ts';
import type { Remote } from './remote/remote.ts';
import { readRemote, REMOTE_OPTIONS } from './remote/options.ts';
import { FunctionFailure, invoke } from '#sandbox/stack/lambda.ts';
import { LAMBDA_PORT, readPort } from './port-options.ts';

/*
 * npm run invoke -- <function> ['<payload>']: invokes a packaged function of the running local stack, like another
 * Lambda, and prints its output; with --remote, a deployed function.
 */

const { values, positionals } = readArguments({
  command: 'npm run invoke',
  about: 'Invokes a function of the running local stack or, with --remote, a deployed one, and prints its output.',
  takes: "<function> ['<payload>']",
  positionals: 2,
  options: {
    event: { type: 'string', value: '<file>', about: 'payload from a file, such as those in events/' },
    'lambda-port': LAMBDA_PORT,
    ...REMOTE_OPTIONS,
  },
  examples: [
    'npm run invoke -- stream-xadd                                      # the example of its contract',
    `npm run invoke -- stream-xadd '{"key":"orders","entry":{"sku":"1"}}'`,
    'npm run invoke -- stream-xadd --event events/stream-xadd.json        # as API Gateway calls it',
    'npm run invoke -- stream-xadd --event events/direct/stream-xadd.json # as another Lambda calls it',
    `npm run invoke -- --remote --stage prod stream-status '{}'`,
  ],
  notes: `Functions: ${registry.map(({ name }) => name).join(', ')}`,
});

try {
  const [name, payload] = positionals;
  const port = readPort('lambda-port', values['lambda-port']);
  const remote = readRemote(values);
  if (remote && (payload ?? values.event) === undefined) {
    throw new ScriptError('A deployed function needs a payload of yours');
  }
  const text = readPayload(nameOf(name), payload, values.event);
  const output = await (remote ? invokeRemote(remote, nameOf(name), text) : invoke(port, nameOf(name), text));
  console.log(output === '' ? 'null' : JSON.stringify(parseExact(output), null, 2));
} catch (error) {
  stop(error instanceof FunctionFailure ? new ScriptError(error.text) : error);
}

/** Loads the AWS SDK only where it is needed. */
async function invokeRemote(remote: Remote, name: string, payload: string): Promise<string> {
  const deployed = await import('./remote/invoke.ts');
  return deployed.invokeRemote(remote, name, payload);
}

function nameOf(name: string | undefined): string {
  if (registry.some((operation) => operation.name === name)) return name!;
  const which = name === undefined ? 'Name a function' : `There is no function '${name}'`;
  throw new ScriptError(`${which}: npm run invoke -- --help lists them`);
}

function readPayload(name: string, payload: string | undefined, file: string | undefined): string {
  if (payload !== undefined && file !== undefined) throw new ScriptError('Give a payload or --event, not both');
  if (file !== undefined) return checkJson(`The file ${file}`, readEvent(file));
  if (payload !== undefined) return checkJson('The payload', payload);
  return JSON.stringify(registry.find((operation) => operation.name === name)!.example.input);
}

function readEvent(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ScriptError(`The file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function checkJson(what: string, text: string): string {
  const parse = (): unknown => JSON.parse(text);
  attempt(parse, (message) => `${what} is not JSON: ${message}`);
  return text;
}
