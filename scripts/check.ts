import { readArguments, ScriptError } from './arguments.ts';
import { CHECKS, runSteps } from './check/steps.ts';

/* npm run check: all that can be said of the sources without running them. */

readArguments({
  command: 'npm run check',
  about: 'Checks types, style, layers, unused code, completeness, generated files and the OpenAPI document.',
  examples: ['npm run check'],
  notes: `Each step is a script of its own: ${CHECKS.join(', ')}.`,
});
const failed = await runSteps(CHECKS);
if (failed.length > 0) throw new ScriptError(`Failed: ${failed.join(', ')}`);
