import { rm } from 'node:fs/promises';
import { readArguments, ScriptError } from './arguments.ts';
import { writeBill } from './build/bill-of-materials.ts';
import { bundleFunction, type Bundle } from './build/bundle.ts';
import { printReport } from './build/report.ts';
import { staleBundles } from './build/stale.ts';
import { functions } from './functions.ts';

/*
 * npm run build [-- --report] [-- --only stream-xadd]: bundles every function into dist/<function>/, with its bill of
 * materials and the licences of what it contains.
 */

const { values } = readArguments({
  command: 'npm run build',
  about: 'Bundles every function into dist/<function>/.',
  options: {
    report: { type: 'boolean', about: "list what each function's kilobytes are made of" },
    stale: { type: 'boolean', about: 'bundle only what is missing, or older than a source' },
    only: {
      type: 'string',
      multiple: true,
      value: '<function>',
      about: 'bundle this one, and leave the others; may be given again',
    },
  },
  examples: ['npm run build -- --report', 'npm run build -- --only stream-xadd'],
});
const { only = [] } = values;
const unknown = only.filter((name) => !functions.some((one) => one.name === name));
if (unknown.length > 0) throw new ScriptError(`There is no function '${unknown.join("', '")}'`);
const named = only.length > 0 ? functions.filter(({ name }) => only.includes(name)) : functions;
const isStale = values.stale ? staleBundles() : () => true;
const chosen = named.filter(({ name }) => isStale(name));

if (chosen.length === functions.length) await rm('dist', { recursive: true, force: true });
const built = await Promise.all(
  chosen.map(async ({ name, handler }): Promise<[string, Bundle]> => {
    const directory = `dist/${name}`;
    const bundle = await bundleFunction(handler, directory);
    await writeBill(name, bundle, directory);
    return [name, bundle];
  }),
);
if (values.report) printReport(new Map(built));
else if (built.length > 0)
  console.log(`Bundled ${built.length} ${built.length === 1 ? 'function' : 'functions'} into dist/`);
