import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readArguments } from '../arguments.ts';
import { ACCEPTED_CHANGES } from './accepted-changes.ts';
import type { Api } from './api-shape.ts';
import { breakingChanges } from './breaking-changes.ts';

/* npm run check -- callers: compares docs/openapi.json with the last release. Fails at a change that breaks callers. */

type Released = Api & { info: { version: string } };

const PATH = 'docs/openapi.json';
/**
 * The OpenAPI document of the last release, which `node scripts/release.ts` writes. Those of older ones are in their
 * tags.
 */
const LAST_RELEASE = 'scripts/check/last-release.json.gz';

readArguments({
  command: 'npm run check -- callers',
  about: 'Checks docs/openapi.json for what breaks callers of the last release.',
  examples: ['npm run check -- callers'],
});

const document = JSON.parse(readFileSync(PATH, 'utf8')) as Released;
const released = JSON.parse(gunzipSync(readFileSync(LAST_RELEASE)).toString()) as Released;
// a new minor version before 1.0, or a new major version, may break with it
const mayBreak = seriesOf(document) !== seriesOf(released);
const breaking = mayBreak ? [] : breakingChanges(released, document);
const found = breaking.filter((change) => !ACCEPTED_CHANGES.some(([accepted]) => accepted.test(change)));

for (const change of found) console.error(`breaks callers of ${released.info.version}: ${change}`);
if (found.length > 0) {
  console.error(`${PATH}: ${found.length} findings`);
  process.exitCode = 1;
}

/** `0.1` of 0.1.4, `2` of 2.3.0: versions of one series are compatible. */
function seriesOf({ info: { version } }: Released): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : major!;
}
