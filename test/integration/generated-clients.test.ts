import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { registry } from '../../functions/registry.ts';
import { generateClients } from '../support/generate-clients.ts';
import { startHttpGateway, type HttpGateway } from '../support/http-gateway.ts';
import { startMdmFixture, type MdmFixture } from '../support/mdm-fixture.ts';

const FOLDER = '.build/generated-clients';
const operations = registry.filter(({ deploy }) => deploy.http);
const programs = ['openapi-fetch', 'hey-api'];

let fixture: MdmFixture;
let gateway: HttpGateway;

beforeAll(async () => {
  fixture = await startMdmFixture();
  gateway = await startHttpGateway(fixture.lambda);
  await generateClients(
    FOLDER,
    operations.map(({ name, route, example }) => ({ name, route, input: example.input })),
  );
}, 120_000);
afterAll(async () => {
  await gateway.close();
  await fixture.stop();
  rmSync(FOLDER, { recursive: true, force: true });
});

/** What the examples of the contracts speak of. */
async function prepare(): Promise<void> {
  await fixture.redis('FLUSHALL');
  await fixture.redis('XADD', 'orders', '1526919030474-0', 'order', '1001', 'status', 'paid');
  const record = { name: 'Bonn', country: { Code: 'DE' } };
  fixture.mdm.records.submit({ entity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '2946447', record });
}

interface Called {
  status: number;
  data?: unknown;
  error?: { type: string; status: number; detail: string; errors: { pointer: string }[] };
}

type Call = (url: string, operation: string, input?: object) => Promise<Called>;

describe.each(operations.map(({ name }) => name))('generated clients call %s', (name) => {
  it.each(programs)('%s: its example, and a call that is refused', async (program) => {
    await prepare();
    if (!/xgroup-create$/.test(name)) await fixture.redis('XGROUP', 'CREATE', 'orders', 'billing', '0');

    const { call } = (await import(resolve(FOLDER, `out/${program}.mjs`))) as { call: Call };
    const succeeded = await call(gateway.url, name);
    const failed = await call(gateway.url, name, { noSuchThing: 1 });

    if (!succeeded.error?.detail.includes('needs Redis')) {
      expect(succeeded.error).toBeUndefined();
      expect([200, 204]).toContain(succeeded.status);
    }
    expect(failed).toMatchObject({
      status: 400,
      error: { status: 400, errors: expect.arrayContaining([expect.objectContaining({ pointer: '/noSuchThing' })]) },
    });
  });
});
