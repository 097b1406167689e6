import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { writeBill } from './build/bill-of-materials.ts';
import { bundleFunction, type Bundle } from './build/bundle.ts';
import { printReport } from './build/report.ts';
import { functions } from './functions.ts';

/*
 * npm run build [-- --report] [-- --only stream-xadd]: bundles every function into dist/<function>/, with its bill of
 * materials and the licences of what it contains.
 */

const { values } = parseArgs({ options: { report: { type: 'boolean' }, only: { type: 'string' } } });
const chosen = functions.filter(({ name }) => !values.only || name === values.only);

if (!values.only) await rm('dist', { recursive: true, force: true });
const built = await Promise.all(
  chosen.map(async ({ name, handler }): Promise<[string, Bundle]> => {
    const directory = `dist/${name}`;
    const bundle = await bundleFunction(handler, directory);
    await writeBill(name, bundle, directory);
    return [name, bundle];
  }),
);
if (values.report) printReport(new Map(built));
else console.log(`Bundled ${built.length} functions into dist/`);
