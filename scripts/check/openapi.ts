import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { readArguments } from '../arguments.ts';

/*
 * npm run check -- openapi: checks docs/openapi.json with the recommended rules of Redocly and Spectral. Fails at an
 * error or a warning.
 */

const PATH = 'docs/openapi.json';

readArguments({
  command: 'npm run check -- openapi',
  about: "Checks docs/openapi.json by Redocly's and Spectral's rules.",
  examples: ['npm run check -- openapi'],
});

const source = readFileSync(PATH, 'utf8');

const config = await createConfig({ extends: ['recommended'] });
const redocly = (await lintFromString({ source, absoluteRef: PATH, config })).map(
  ({ ruleId, message, location: [at] }) => `redocly ${ruleId} ${at?.pointer ?? ''}: ${message}`,
);

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [spectralRulesets.oas] } as never);
const spectralFaults = (await spectral.run(JSON.parse(source) as Record<string, unknown>)).map(
  ({ code, message, path }) => `spectral ${code} ${path.join('/')}: ${message}`,
);

const found = [...redocly, ...spectralFaults];
for (const line of found) console.error(line);
if (found.length > 0) {
  console.error(`${PATH}: ${found.length} findings`);
  process.exitCode = 1;
}
