import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { bundleFunction, type Outputs } from './build/bundle.ts';
import { printReport } from './build/report.ts';
import { functions } from './functions.ts';

/* npm run build [-- --report] [-- --only stream-xadd]: bundles every function into dist/<function>/. */

const { values } = parseArgs({ options: { report: { type: 'boolean' }, only: { type: 'string' } } });
const chosen = functions.filter(({ name }) => !values.only || name === values.only);

if (!values.only) await rm('dist', { recursive: true, force: true });
const built = await Promise.all(
  chosen.map(async ({ name, handler }): Promise<[string, Outputs]> => [
    name,
    await bundleFunction(handler, `dist/${name}`),
  ]),
);
if (values.report) printReport(new Map(built));
else console.log(`Bundled ${built.length} functions into dist/`);
