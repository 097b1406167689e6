import { readFile } from 'node:fs/promises';
import { describeFaults } from '../lib/core/errors.ts';
import { faultsOfSecret } from '../lib/runtime/config.ts';

/*
 * npm run secret -- check FILE: checks a connector configuration before it is put into Secrets Manager, as a function
 * would when it reads it. Names every fault, and prints no value.
 */

const USAGE = 'npm run secret -- check FILE';
/** What Secrets Manager takes. */
const MOST_BYTES = 65_536;
const [command, file, ...rest] = process.argv.slice(2);

if (command !== 'check' || file === undefined || rest.length > 0) {
  console.error(USAGE);
  process.exitCode = 1;
} else {
  const problem = await check(file);
  if (problem === undefined) console.log(`${file} fits`);
  else console.error(`${file}: ${problem}`);
  process.exitCode = problem === undefined ? 0 : 1;
}

async function check(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return 'cannot be read';
  if (Buffer.byteLength(text) > MOST_BYTES) return `is larger than the ${MOST_BYTES} bytes of a secret`;
  let secret: unknown;
  try {
    secret = JSON.parse(text);
  } catch {
    return 'is not JSON'; // the parser's own message repeats the text
  }
  const faults = faultsOfSecret(secret);
  return faults.length === 0 ? undefined : `does not fit: ${describeFaults(faults)}`;
}
