import { afterAll, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { registry } from '#functions/registry.ts';
import { generateClient } from '../../support/contract/generate-client.ts';
import { startHttpGateway } from '../../support/aws/http-gateway.ts';
import { startMdmFixture } from '../../support/mdm/mdm-fixture.ts';
import { use } from '../../support/jest/use.ts';

const FOLDER = '.build/generated-client';
const operations = registry.filter(({ deploy }) => deploy.http);

const fixture = await use(startMdmFixture());
const gateway = await use(startHttpGateway(fixture.lambda));
await generateClient(
  FOLDER,
  operations.map(({ name, route, example }) => ({ name, route, input: example.input })),
);
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const exampleOf = (name: string) => operations.find((operation) => operation.name === name)!.example.input;

/** Makes what the examples of the contracts speak of, and gives an operation's with the ids that things have here. */
async function prepare(name: string): Promise<object> {
  await fixture.redis('FLUSHALL');
  await fixture.redis('XADD', 'orders', '1526919030474-0', 'order', '1001', 'status', 'paid');
  if (name !== 'stream-xgroup-create') await fixture.redis('XGROUP', 'CREATE', 'orders', 'billing', '0');
  const { records } = fixture.mdm;
  const cityOf = (name: string) => ({
    entity: 'c360.city',
    record: { name, country: { Code: 'DE' }, population: 300_000 },
  });
  records.submit({ ...cityOf('Bonn'), sourceSystem: 'geonames', sourcePKey: '2946447' });
  records.submit({ ...cityOf('Köln'), sourceSystem: 'geonames', sourcePKey: '2886242' });
  records.submit({ ...cityOf('Cologne'), sourceSystem: 'gazetteer', sourcePKey: '2692' });
  const person = { firstName: 'Ada', lastName: 'Lovelace' };
  records.submit({ entity: 'c360.person', sourceSystem: 'crm', sourcePKey: '1', record: person });
  const ids = new Map([
    ['MDM00000000001', await businessIdOf('c360.city', 'geonames', '2946447')],
    ['MDM00000000002', await businessIdOf('c360.city', 'geonames', '2886242')],
    ['MDM00000000004', await businessIdOf('c360.person', 'crm', '1')],
  ]);
  const inputOf = (operation: string) => {
    const text = JSON.stringify(exampleOf(operation));
    return JSON.parse([...ids].reduce((json, [example, id]) => json.replaceAll(example, id), text)) as object;
  };
  const created = async (operation: string) => await createdBy(operation, inputOf(operation));
  if (name === 'mdm-job-read') ids.set('7141899423138', await created('mdm-job-start'));
  const isOfRelationship = /^mdm-relationship-(read|update|delete)$/.test(name);
  if (isOfRelationship) ids.set('REL00000001', await created('mdm-relationship-create'));
  const opposite = { 'mdm-merge': 'mdm-unmerge', 'mdm-unmerge': 'mdm-merge' }[name];
  if (opposite) await fixture.lambda.invoke(opposite, inputOf(opposite)).catch(() => {}); // it may be so already
  return inputOf(name);
}

async function businessIdOf(businessEntity: string, sourceSystem: string, sourcePKey: string): Promise<string> {
  const { attributes } = await fixture.lambda.invoke<{ attributes: { businessId: string } }>('mdm-master-read', {
    businessEntity,
    sourceSystem,
    sourcePKey,
  });
  return attributes.businessId;
}

/** The id of what an operation creates. */
async function createdBy(operation: string, input: object): Promise<string> {
  const { attributes } = await fixture.lambda.invoke<{ attributes: { id: string } }>(operation, input);
  return attributes.id;
}

interface Called {
  status: number;
  data?: unknown;
  error?: { type: string; status: number; detail: string; errors: { pointer: string }[] };
}

type Call = (url: string, operation: string, input?: object) => Promise<Called>;

it.each(operations.map(({ name }) => name))(
  'a generated client calls %s, with its example and with a call that is refused',
  async (name) => {
    const input = await prepare(name);

    const { call } = (await import(resolve(FOLDER, 'client.mjs'))) as { call: Call };
    const succeeded = await call(gateway.url, name, input);
    const failed = await call(gateway.url, name, { noSuchThing: 1 });

    if (operations.find((operation) => operation.name === name)!.sinceRedis && succeeded.error) {
      expect(succeeded).toMatchObject({ status: 422, error: { detail: expect.stringContaining('needs Redis 8.2') } });
    } else {
      expect(succeeded.error).toBeUndefined();
      expect([200, 204]).toContain(succeeded.status);
    }
    expect(failed).toMatchObject({
      status: 400,
      error: { status: 400, errors: expect.arrayContaining([expect.objectContaining({ pointer: '/noSuchThing' })]) },
    });
  },
);
