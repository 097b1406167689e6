import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readArguments } from './arguments.ts';
import { registry } from '../functions/registry.ts';
import { callerPolicyFiles } from './generate/caller-policies.ts';
import { clientTypesFile } from './generate/client-types.ts';
import { deployGuideFile } from './generate/deploy-guide.ts';
import { eventFiles } from './generate/events.ts';
import type { GeneratedFile } from './generate/generated-file.ts';
import { openapiFile } from './generate/openapi/document.ts';
import { readmeFile } from './generate/readme.ts';

/* npm run generate [-- --check]: writes what is made from the contracts; with --check, reports what is stale instead. */

const { values } = readArguments({
  command: 'npm run generate',
  about: 'Writes what is made from the contracts: OpenAPI, sample events, client types, the table of the README.',
  options: { check: { type: 'boolean', about: 'write nothing, and end with 1 where a file is stale' } },
  examples: ['npm run generate'],
});
const files: GeneratedFile[] = [
  openapiFile(registry),
  ...eventFiles(registry),
  ...callerPolicyFiles(registry),
  await clientTypesFile(registry),
  await readmeFile(registry),
  await deployGuideFile(),
];

const stale: string[] = [];
for (const { path, contents } of files) {
  const wanted = await format(contents, { ...(await resolveConfig(path)), filepath: path });
  if ((await readFile(path, 'utf8').catch(() => undefined)) === wanted) continue;
  stale.push(path);
  if (values.check) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, wanted);
}

if (values.check && stale.length > 0) {
  console.error(`Stale: ${stale.join(', ')}. Run npm run generate.`);
  process.exitCode = 1;
} else {
  console.log(stale.length === 0 ? 'Generated files are current' : `Wrote ${stale.join(', ')}`);
}
