import { parseArgs } from 'node:util';
import { registry } from '../functions/registry.ts';
import { parseExact } from '../lib/core/json.ts';
import { FunctionFailure, invoke } from './start/lambda.ts';
import { ScriptError } from './start/lifetime.ts';
import { DEFAULT_PORTS } from './start/names.ts';

/*
 * npm run invoke -- <function> ['<payload>']: invokes a packaged function of the running local stack, as another Lambda
 * would, and prints its output. The payload's default is the contract's example.
 */

const names = registry.map(({ name }) => name).join(', ');
const USAGE = `npm run invoke -- [--lambda-port N] <function> ['<payload>']\n\nFunctions: ${names}`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'lambda-port': { type: 'string', default: String(DEFAULT_PORTS.lambda) } },
  });
  const [name = '', payload] = positionals;
  const output = await invoke(Number(values['lambda-port']), name, checkPayload(name, payload));
  console.log(output === '' ? 'null' : JSON.stringify(parseExact(output), null, 2));
} catch (error) {
  console.error(error instanceof FunctionFailure ? `${error.errorType}: ${error.errorMessage}` : messageOf(error));
  process.exitCode = 1;
}

function checkPayload(name: string, payload: string | undefined): string {
  const operation = registry.find((candidate) => candidate.name === name);
  if (!operation) throw new ScriptError(`${name ? `There is no function ${name}\n\n` : ''}${USAGE}`);
  if (payload === undefined) return JSON.stringify(operation.example.input);
  try {
    JSON.parse(payload);
    return payload;
  } catch (error) {
    throw new ScriptError(`The payload is not JSON: ${(error as Error).message}`);
  }
}

function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return code?.startsWith('ERR_PARSE_ARGS') ? `${message}\n\n${USAGE}` : message;
}
