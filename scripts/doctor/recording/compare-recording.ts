import { readRecording } from '#sandbox/mdm/recording/recording.ts';
import { attempt } from '../../arguments.ts';
import { compare } from './compare.ts';
import { printDifferences } from './print-differences.ts';
import { recordDialects } from './record.ts';

/** Prints where a recorded tenant differs from the sandbox. Returns whether it does from every dialect. */
export async function compareRecording(folder: string): Promise<boolean> {
  const tenant = attempt(() => readRecording(folder));
  return printDifferences(compare(tenant, await recordDialects()));
}
