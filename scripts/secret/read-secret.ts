import { readFile } from 'node:fs/promises';
import type { ConnectorSecret } from '#lib/config/config.schema.ts';
import { registry } from '#functions/registry.ts';
import type { Fault } from '#lib/core/errors.ts';
import { fits } from '#lib/invocation/access.ts';
import { faultsOfSecret, parseSecretText } from '#lib/config/config.ts';
import { ScriptError } from '../arguments.ts';

/** The largest secret. */
const MOST_BYTES = 65_536;

/**
 * Reads a connector configuration from a file, with its defaults.
 *
 * @throws {ScriptError} names every fault, and no value
 */
export async function readSecret(path: string): Promise<ConnectorSecret> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new ScriptError(`${path} cannot be read`);
  });
  if (Buffer.byteLength(text) > MOST_BYTES) throw new ScriptError(`${path} is larger than ${MOST_BYTES} bytes`);
  const secret = parse(path, text);
  const faults = [...faultsOfSecret(secret), ...unknownOperations(secret)];
  const lines = faults.map(({ pointer, message }) => `- ${pointer || 'the file'} ${message}`);
  if (lines.length > 0) throw new ScriptError([`${path} is invalid:`, ...lines].join('\n'));
  return secret as ConnectorSecret;
}

function parse(path: string, text: string): unknown {
  try {
    return parseSecretText(text);
  } catch (error) {
    if (text.trim() === '') throw new ScriptError(`${path} is empty: npm run secret -- new writes one to fill in`);
    const [place = ''] = / \(line \d+ column \d+\)/.exec((error as Error).message) ?? []; // the rest repeats the text
    throw new ScriptError(`${path} is not JSON${place}`);
  }
}

/** Patterns of `access.operations` that no operation matches: they allow nothing, usually by a typo. */
function unknownOperations(secret: unknown): Fault[] {
  const { operations } = (secret as { access?: { operations?: unknown } } | null)?.access ?? {};
  if (!Array.isArray(operations)) return [];
  return operations.flatMap((pattern: unknown, at) => {
    const isKnown = typeof pattern !== 'string' || registry.some(({ name }) => fits(pattern, name));
    return isKnown ? [] : [{ pointer: `/access/operations/${at}`, message: 'matches no operation' }];
  });
}
