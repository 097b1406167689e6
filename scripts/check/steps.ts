import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { TSC } from '../build/tsc.ts';

/** The steps of `npm run check`, each with its commands, the longest first. What may keep its results does. */
export const STEPS = {
  lint: ['oxlint --quiet', 'oxfmt --check'],
  types: ['.', 'functions/api/docs/page', 'sandbox/console/page'].map((project) => `node "${TSC}" -p ${project}`),
  unused: ['knip --no-progress'],
  openapi: ['node scripts/check/openapi.ts'],
  callers: ['node scripts/check/callers.ts'],
  layers: ['depcruise functions lib deploy sandbox scripts test'],
  generated: ['node scripts/generate.ts --check'],
  operations: ['node scripts/check/operations.ts'],
} as const satisfies Record<string, readonly string[]>;

export type Step = keyof typeof STEPS;
export const CHECKS = Object.keys(STEPS) as Step[];

/**
 * Runs commands, as many at a time as there are cores, and prints what each has to say when it ends. Returns those that
 * failed.
 */
export async function runCommands(commands: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  const waiting = commands.values();
  const work = async () => {
    for (const command of waiting) {
      const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
      const [out, err] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'close')]);
      process.stdout.write(out);
      process.stderr.write(err);
      if (child.exitCode !== 0) failed.push(command);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return failed;
}

export const commandsOf = (steps: readonly Step[]): string[] => steps.flatMap((step) => [...STEPS[step]]);
