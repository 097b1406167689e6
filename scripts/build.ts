import { readArguments, ScriptError } from './arguments.ts';
import { functions } from './build/functions.ts';
import { makeBundles } from './build/make-bundles.ts';

/*
 * npm run build [-- --report] [-- --only stream-xadd]: bundles every function into dist/<function>/, with its bill of
 * materials and the licences of its contents. With --local, bundles them for the local stack and for tests.
 */

const { values } = readArguments({
  command: 'npm run build',
  about: 'Bundles every function into dist/<function>/.',
  options: {
    report: { type: 'boolean', about: "list what each function's kilobytes are made of" },
    stale: { type: 'boolean', about: 'bundle only functions whose bundle is missing, or a source of which changed' },
    local: { type: 'boolean', about: 'bundle for the local stack and for tests, into .build/functions/' },
    only: {
      type: 'string',
      multiple: true,
      value: '<function>',
      about: 'bundle only this one; may be repeated',
    },
  },
  examples: ['npm run build -- --report', 'npm run build -- --only stream-xadd'],
});
const { only = [] } = values;
const unknown = only.find((name) => !functions.some((one) => one.name === name));
if (unknown !== undefined)
  throw new ScriptError(`--only takes the name of a function such as stream-xadd, not '${unknown}'`);
await makeBundles({ form: values.local ? 'local' : 'release', stale: values.stale, report: values.report, only });
