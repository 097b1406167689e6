import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { buffer } from 'node:stream/consumers';

/** The npm scripts that `npm run check` is made of, the longest first. */
export const CHECKS = ['lint', 'types-check', 'layers', 'unused', 'generate -- --check', 'lint-openapi', 'operations'];

/** Runs npm scripts, as many at a time as there are cores, and prints what each has to say when it ends. Returns those that failed. */
export async function runSteps(names: readonly string[]): Promise<string[]> {
  const [waiting, failed]: string[][] = [[...names], []];
  const work = async () => {
    for (let name = waiting!.shift(); name !== undefined; name = waiting!.shift()) {
      const child = spawn('npm', ['run', '--silent', ...name.split(' ')], { stdio: ['ignore', 'pipe', 'pipe'] });
      const [out, err] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'close')]);
      process.stdout.write(out);
      process.stderr.write(err);
      if (child.exitCode !== 0) failed!.push(`npm run ${name}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return failed!;
}
