import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { handler as businessEntities } from '#functions/mdm/business-entities/handler.ts';
import { handler as recordSchema } from '#functions/mdm/record-schema/handler.ts';
import { TSC } from '#scripts/build/tsc.ts';
import { startMdmStack, type MdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { invokeSource } from '../../support/aws/source-handler.ts';

let stack: MdmStack;
let lambda: Server;
const invoked: (string | undefined)[] = [];
beforeAll(async () => {
  stack = await startMdmStack();
  lambda = createServer((request, response) => {
    invoked.push(request.url);
    void json(request)
      .then((payload) => invokeSource<object>(handlerOf(request.url), payload))
      .then((output) => response.end(JSON.stringify(output)))
      .catch((error: Error) => {
        response.setHeader('x-amz-function-error', 'Unhandled');
        response.end(JSON.stringify({ errorType: error.name, errorMessage: error.message }));
      });
  });
  await once(lambda.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  lambda.closeAllConnections();
  lambda.close();
  await stack.close();
});

const handlerOf = (url = '') => (url.includes('mdm-business-entities') ? businessEntities : recordSchema);

const types = (...args: string[]) =>
  promisify(execFile)('node', ['scripts/types.ts', '--function-prefix', 'mdm-stream-test-', ...args], {
    env: { ...process.env, AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${(lambda.address() as AddressInfo).port}` },
  });

it("npm run types prints an entity's types from the tenant's data model", async () => {
  const { stdout } = await types('--entity', 'c360.city');

  expect(invoked).toEqual(['/2015-03-31/functions/mdm-stream-test-mdm-record-schema/invocations']);
  expect(stdout).toContain('"c360.city": City;');
  expect(stdout).toContain('export interface City {');
  expect(stdout).toMatch(/\n {2}name: \w+;/);
  expect(stdout).toMatch(/\n {2}population\?: /);
});

it('npm run types writes types of every entity that compile strictly, each name once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'types-'));
  const operations = ['search', 'source-submit'];
  const files = operations.map((operation) => join(folder, 'of/a-new-project/src', `${operation}.ts`));

  for (const [index, operation] of operations.entries()) await types('--operation', operation, '--out', files[index]!);

  for (const [index, file] of files.entries()) {
    const text = await readFile(file, 'utf8');
    expect(text).toContain(`/* Every business entity, ${operations[index]}: made by npm run types`);
    expect(text).toContain('export interface Records {');
    expect(text).toContain('"c360.person": PersonRecord;');
    expect(text).toContain('"c360.city": CityRecord;');
    const names = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  }
  const strictly = ['--strict', '--noEmit', '--ignoreConfig', '--skipLibCheck'];
  await promisify(execFile)('node', [TSC, ...strictly, ...files]);
  await rm(folder, { recursive: true });
}, 60_000);

/** What the client makes of the tenant's types; `@ts-expect-error` fails where a line compiles. */
const program = `
import { createClient, type Transport } from '${resolve('lib/client/index.ts')}';
import type { Records } from './records.ts';

export async function use(transport: Transport) {
  const client = createClient<Records>(transport);
  const city = { businessEntity: 'c360.city', sourceSystem: 's', sourcePKey: '1' } as const;
  const { payload } = await client.invoke('mdm-master-read', city);
  const found = await client.invoke('mdm-search', { businessEntity: 'c360.city', search: '*' });
  await client.invoke('mdm-source-submit', { ...city, record: { name: 'Bonn', location: { latitude: 50.7 } } });
  // @ts-expect-error -- there is no such field
  await client.invoke('mdm-source-submit', { ...city, record: { mayor: 'K.' } });
  // @ts-expect-error -- there is no such field
  void payload.mayor;
  const read: [string | undefined, number | string | undefined] = [payload.country?.Code, payload.location?.latitude];
  return [...read, ...found.payload.searchResult.records.map((record) => record['c360city.population'])];
}
`;

it("npm run types writes types for the client, whose calls then have the tenant's fields", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'types-'));
  await types('--out', join(folder, 'records.ts'));
  await writeFile(join(folder, 'use.ts'), program);

  const settings = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    'node',
    '--typeRoots',
    'node_modules/@types',
  ];
  const options = [...settings, '--allowImportingTsExtensions', '--noEmit', '--ignoreConfig', '--skipLibCheck'];
  await promisify(execFile)('node', [TSC, ...options, join(folder, 'use.ts')]);

  await rm(folder, { recursive: true });
}, 60_000);

it('npm run types refuses an operation whose records have no schema, in one sentence', async () => {
  await expect(types('--operation', 'merge')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^[^\n]*operation[^\n]*\n$/),
  });
});

it('npm run types says that the tenant lacks an entity', async () => {
  await expect(types('--entity', 'c360.nothing')).rejects.toMatchObject({ code: 1 });
});
