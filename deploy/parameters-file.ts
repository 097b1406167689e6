import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ParameterError } from './read-parameters.ts';

/** Names the parameters file for the framework, which takes no options of ours. */
export const FILE_VARIABLE = 'MDM_STREAM_PARAMETERS';

/**
 * The contents of a parameters file.
 *
 * @param path default: `deploy/<stage>.yml`, if there is one
 * @throws {ParameterError} if there is no such file, or it holds no parameters
 */
export function readParametersFile(stage: string, path?: string): Record<string, unknown> {
  const ofStage = join(import.meta.dirname, `${stage}.yml`);
  const file = path ?? (existsSync(ofStage) ? ofStage : undefined);
  if (file === undefined) return {};
  const contents = parseFile(file);
  if (typeof contents !== 'object' || contents === null || Array.isArray(contents)) {
    throw new ParameterError(`${file} must hold parameters, each with its name and value`);
  }
  return contents as Record<string, unknown>;
}

function parseFile(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8')) ?? {}; // an empty file gives none
  } catch (error) {
    throw new ParameterError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
