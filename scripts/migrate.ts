import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, ScriptError } from './arguments.ts';
import { convert } from './migrate/convert.ts';
import { filesOf } from './migrate/files.ts';
import { machineOf, reportOf, stateOf, unused, withRef } from './migrate/output.ts';
import { readPropertyFiles } from './migrate/properties.ts';
import { readApplication, type MuleElement } from './migrate/read-application.ts';
import { secretsOf } from './migrate/secrets.ts';

/*
 * npm run migrate -- src/main/mule: reads a Mule application, and writes what replaces the elements of both connectors:
 * a report, calls as JSON, states of Step Functions, and skeletons of the secrets.
 */

const { positionals, values } = readArguments({
  command: 'npm run migrate',
  about: 'Converts the elements of a Mule application to calls of this bundle; names what it cannot know.',
  takes: '<file or folder>…',
  positionals: Infinity,
  options: {
    out: { type: 'string', default: 'migration', value: '<folder>', about: 'where the files are written' },
    properties: {
      type: 'string',
      multiple: true,
      value: '<file>',
      about: 'values of ${…}: .yaml or .properties; of several files, the last one wins',
    },
  },
  examples: [
    'npm run migrate -- src/main/mule',
    'npm run migrate -- src/main/mule --properties src/main/resources/prod.yaml',
    'npm run migrate -- global.xml app.xml --out ../migration',
  ],
});
if (positionals.length === 0) throw new ScriptError('Name the application: npm run migrate -- src/main/mule');

const isConfig = ({ localName }: MuleElement) => localName.endsWith('config');
const properties = readPropertyFiles(values.properties ?? []);
const files = filesOf(positionals)
  .map(({ path, text }) => ({ path, ...readApplication(text, path, properties) }))
  .filter(({ elements }) => elements.length > 0);
if (files.length === 0)
  throw new ScriptError(`${positionals.join(', ')}: neither the b360 nor the lettuce-redis connector is used there`);
// a configuration and its calls are often in different files
const { secrets, refs, rows } = secretsOf(files.flatMap(({ elements }) => elements.filter(isConfig)));
const converted = files.map(({ path, elements, others }) => ({
  path,
  others,
  rows: elements.map((one) => (isConfig(one) ? rows.get(one)! : convert(one, refs))),
}));
const calls = converted.flatMap(({ path, rows }) => rows.filter(({ call }) => call).map((one) => ({ ...one, path })));
const refOf = ({ from }: (typeof calls)[number]) => refs.get(from.element.getAttribute('config-ref') ?? '');
const report = reportOf(converted);

mkdirSync(values.out, { recursive: true });
write('report.md', report);
writeJson(
  'calls.json',
  calls.map((one) => ({
    file: one.path,
    line: one.from.line,
    operation: one.call!.operation,
    input: withRef(one.call!.input, refOf(one)),
    toFillIn: one.toFillIn,
  })),
);
const names = new Set<string>();
for (const ofFlow of Map.groupBy(calls, ({ path, from }) => JSON.stringify([path, from.flow])).values()) {
  const states = new Set<string>();
  const machine = machineOf(
    ofFlow.map((one): [string, Record<string, unknown>] => [
      unused(`${one.from.localName} (line ${one.from.line})`, states),
      stateOf(one, refOf(one)),
    ]),
  );
  const name = (ofFlow[0]!.from.flow || 'application').replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-');
  writeJson(`${unused(name, names)}.asl.json`, machine);
}
for (const [ref, secret] of secrets) writeJson(ref === 'default' ? 'secret.json' : `secret-${ref}.json`, secret);
console.log(`${report}\n\nWritten to ${values.out}/`);

function write(name: string, text: string): void {
  writeFileSync(join(values.out, name), `${text}\n`);
}

function writeJson(name: string, value: unknown): void {
  write(name, JSON.stringify(value, null, 2));
}
