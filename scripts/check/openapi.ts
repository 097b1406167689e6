import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { readArguments } from '../arguments.ts';

/*
 * npm run lint-openapi: docs/openapi.json under Redocly's recommended rules and Spectral's of OpenAPI. Ends with 1 where
 * either has an error or a warning.
 */

readArguments({
  command: 'npm run lint-openapi',
  about: "Checks docs/openapi.json by Redocly's recommended rules and Spectral's of OpenAPI.",
  examples: ['npm run lint-openapi'],
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

const found = [...redocly, ...problems];
for (const line of found) console.error(line);
if (found.length > 0) {
  console.error(`${path}: ${found.length} findings`);
  process.exitCode = 1;
}
