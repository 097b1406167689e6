import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readArguments } from './arguments.ts';
import { registry } from '#functions/registry.ts';
import { callerPolicyFiles } from './generate/caller-policies.ts';
import { clientIdempotenceFile } from './generate/client-idempotence.ts';
import { clientTypesFile } from './generate/client-types.ts';
import { deployerTemplateFile } from './generate/deployer-template.ts';
import { errorsPage } from './generate/errors-page.ts';
import { eventFiles } from './generate/events.ts';
import { formatted } from './generate/format.ts';
import { functionsList } from './generate/functions-list.ts';
import { consumerGuideFile, costPage, deployGuideFile, limitsPage } from './generate/guides.ts';
import type { GeneratedFile } from './generate/generated-file.ts';
import { knownFromPage } from './generate/known-from.ts';
import { manifestSchemaFile } from './generate/manifest-schema.ts';
import { openapiFile } from './generate/openapi/document.ts';
import { operationsPage } from './generate/operations-page.ts';
import { redisUserFiles } from './generate/redis-users.ts';
import { troubleshootingPage } from './generate/troubleshooting-page.ts';

/* npm run generate [-- --check]: writes the generated files; with --check, reports stale ones instead. */

const { values } = readArguments({
  command: 'npm run generate',
  about: 'Writes the files made from the contracts: OpenAPI, sample events, client types, tables of the documents.',
  options: { check: { type: 'boolean', about: 'write nothing, and fail if a file is stale' } },
  examples: ['npm run generate'],
});
const files: GeneratedFile[] = [
  openapiFile(registry),
  ...eventFiles(registry),
  ...callerPolicyFiles(registry),
  clientTypesFile(registry),
  clientIdempotenceFile(registry),
  functionsList(),
  manifestSchemaFile(),
  await deployerTemplateFile(),
  operationsPage(registry),
  knownFromPage(registry),
  await limitsPage(registry),
  await errorsPage(registry),
  await troubleshootingPage(),
  await deployGuideFile(),
  await consumerGuideFile(),
  await costPage(),
  ...(await redisUserFiles(registry)),
];

const stale: string[] = [];
for (const { path, contents, isByHand } of files) {
  const wanted = isByHand ? contents : await formatted(path, contents);
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
