import { oneOf, readArguments, ScriptError } from './arguments.ts';
import { CHECKS, commandsOf, runCommands } from './check/steps.ts';

/* npm run check: all that can be said of the sources without running them. */

const { positionals } = readArguments({
  command: 'npm run check',
  about: 'Checks types, style, layers, unused code, completeness, generated files and the OpenAPI document.',
  takes: '[<step>…]',
  positionals: CHECKS.length,
  examples: ['npm run check', 'npm run check -- lint types'],
  notes: `Steps: ${CHECKS.join(', ')}. Default: all.`,
});
const steps = positionals.length > 0 ? positionals.map((name) => oneOf('a step', name, CHECKS)) : CHECKS;
const failed = await runCommands(commandsOf(steps));
if (failed.length > 0) throw new ScriptError(`Failed: ${failed.join(', ')}`);
