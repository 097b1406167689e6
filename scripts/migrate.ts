import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, ScriptError } from './arguments.ts';
import { convert } from './migrate/convert.ts';
import { machineOf, reportOf, stateOf, unused, withRef } from './migrate/output.ts';
import { readApplication, textOf } from './migrate/read-application.ts';
import { secretsOf } from './migrate/secrets.ts';

/*
 * npm run migrate -- app.xml: reads a Mule application, and writes what replaces the elements of both connectors: a
 * report, calls as JSON, states of Step Functions, and skeletons of the secrets.
 */

const { positionals, values } = readArguments({
  command: 'npm run migrate',
  about: 'Converts the elements of a Mule application to calls of this bundle; names what it cannot know.',
  takes: '<application.xml>',
  positionals: 1,
  options: { out: { type: 'string', default: 'migration', value: '<folder>', about: 'where the files are written' } },
  examples: ['npm run migrate -- src/main/mule/app.xml', 'npm run migrate -- app.xml --out ../migration'],
});
const [path] = positionals;
if (path === undefined) throw new ScriptError('Name the application: npm run migrate -- <application.xml>');

const { elements, others } = readApplication(read(path), path);
if (elements.length === 0) throw new ScriptError(`${path} uses neither the b360 nor the lettuce-redis connector`);
const isConfig = ({ localName }: { localName: string }) => localName.endsWith('config');
const { secrets, refs, rows } = secretsOf(elements.filter(isConfig));
const converted = elements.filter((one) => !isConfig(one)).map((one) => convert(one, refs));
const calls = converted.filter(({ call }) => call);
const refOf = ({ from }: (typeof calls)[number]) => refs.get(from.element.getAttribute('config-ref') ?? '');
const report = reportOf(path, [...rows, ...converted], others);

mkdirSync(values.out, { recursive: true });
write('report.md', report);
writeJson(
  'calls.json',
  calls.map((one) => ({
    line: one.from.line,
    operation: one.call!.operation,
    input: withRef(one.call!.input, refOf(one)),
    toFillIn: one.toFillIn,
  })),
);
const files = new Set<string>();
for (const [flow, ofFlow] of Map.groupBy(calls, ({ from }) => from.flow)) {
  const names = new Set<string>();
  const states = ofFlow.map((one): [string, Record<string, unknown>] => [
    unused(`${one.from.localName} (line ${one.from.line})`, names),
    stateOf(one, refOf(one)),
  ]);
  const file = (flow || 'application').replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-');
  writeJson(`${unused(file, files)}.asl.json`, machineOf(states));
}
for (const [ref, secret] of secrets) writeJson(ref === 'default' ? 'secret.json' : `secret-${ref}.json`, secret);
console.log(`${report}\n\nWritten to ${values.out}/`);

function read(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new ScriptError(`${file} cannot be read`);
  }
  return textOf(bytes, file);
}

function write(name: string, text: string): void {
  writeFileSync(join(values.out, name), `${text}\n`);
}

function writeJson(name: string, value: unknown): void {
  write(name, JSON.stringify(value, null, 2));
}
