import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { readArguments } from '../arguments.ts';
import { ACCEPTED_CHANGES } from './accepted-changes.ts';
import type { Api } from './api-shape.ts';
import { breakingChanges } from './breaking-changes.ts';

/*
 * npm run check -- openapi: checks docs/openapi.json with the recommended rules of Redocly and Spectral. Fails at an
 * error or a warning, and at a change that breaks callers of the last release.
 */

type Released = Api & { info: { version: string } };

/**
 * The OpenAPI document of the last release, which `node scripts/release.ts` writes. Those of older ones are in their
 * tags.
 */
const LAST_RELEASE = 'scripts/check/last-release.json.gz';

readArguments({
  command: 'npm run check -- openapi',
  about: "Checks docs/openapi.json by Redocly's and Spectral's rules, and for what breaks callers of the last release.",
  examples: ['npm run check -- openapi'],
});

const path = 'docs/openapi.json';
const source = readFileSync(path, 'utf8');

const config = await createConfig({ extends: ['recommended'] });
const redocly = (await lintFromString({ source, absoluteRef: path, config })).map(
  ({ ruleId, message, location: [at] }) => `redocly ${ruleId} ${at?.pointer ?? ''}: ${message}`,
);

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [spectralRulesets.oas] } as never);
const document: unknown = JSON.parse(source);
const problems = (await spectral.run(document as Record<string, unknown>)).map(
  ({ code, message, path }) => `spectral ${code} ${path.join('/')}: ${message}`,
);

/** The last release's document. A new minor version before 1.0, or a new major version, may break with it. */
const released = JSON.parse(gunzipSync(readFileSync(LAST_RELEASE)).toString()) as Released;
const mayBreak = seriesOf((document as Released).info.version) !== seriesOf(released.info.version);
const breaking = mayBreak
  ? []
  : breakingChanges(released, document as Released).filter(
      (change) => !ACCEPTED_CHANGES.some(([accepted]) => accepted.test(change)),
    );

const found = [
  ...redocly,
  ...problems,
  ...breaking.map((change) => `breaks callers of ${released.info.version}: ${change}`),
];
for (const line of found) console.error(line);
if (found.length > 0) {
  console.error(`${path}: ${found.length} findings`);
  process.exitCode = 1;
}

/** `0.1` of 0.1.4, `2` of 2.3.0: versions of one series are compatible. */
function seriesOf(version: string): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : major!;
}
