import { afterEach, expect, it } from '@jest/globals';
import { createClient } from '#lib/client/client.ts';
import { httpTransport } from '#lib/client/http.ts';
import { startContainer } from '#test/support/aws/container.ts';
import { startHttpGateway } from '#test/support/aws/http-gateway.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { use } from '#test/support/jest/use.ts';

/* The client's loop over the records of a search, where the service pages otherwise than it was asked to. */

const paging: { largestPage?: number } = {};
const { mdm, secrets } = await use(startMdmStack({ search: paging }));
const gateway = await use(startHttpGateway(await use(startContainer(secrets))));
const client = createClient(httpTransport({ url: gateway.url }));
afterEach(() => {
  delete paging.largestPage;
});

/** Persons with a last name, numbered by their loyalty points. Returns their golden records. */
function submit(lastName: string, count: number) {
  const before = mdm.records.allGolden('c360.person').length;
  for (let points = 0; points < count; points++) {
    const record = { firstName: `First ${points}`, lastName, loyaltyPoints: points };
    const key = { entity: 'c360.person', sourceSystem: 'crm', sourcePKey: `${lastName}${points}` };
    mdm.records.submit({ ...key, record });
  }
  return mdm.records.allGolden('c360.person').slice(before);
}

/** Reads the points of the persons with a last name, in any order, into this list. */
async function read(lastName: string, points: unknown[] = []): Promise<unknown[]> {
  const records = client.records({ businessEntity: 'c360.person', search: lastName });
  for await (const record of records) points.push(record['c360person.loyaltyPoints']);
  return points.sort((one, other) => Number(one) - Number(other));
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

it('client.records reads every record of a service that returns 100 when asked for 200', async () => {
  submit('Capped', 350);
  paging.largestPage = 100;

  expect(await read('Capped')).toEqual(upTo(350));
});

it('client.records reads every readable record of a service that hides some', async () => {
  const golden = submit('Hidden', 410);
  for (const [index, record] of golden.entries()) record.hidden = index % 7 === 0;

  expect(await read('Hidden')).toEqual(upTo(410).filter((points) => points % 7 !== 0));
});

it('client.records fails where the service repeats a page, instead of returning its records again', async () => {
  const records = upTo(200).map((n) => ({ _meta: { businessId: `M${n}` } }));
  mdm.misbehave({ path: '/search', status: 200, body: { searchResult: { hits: 1000, records } }, times: 2 });
  const points: unknown[] = [];

  await expect(read('Repeated', points)).rejects.toMatchObject({ type: 'MDM:SERVER_ERROR', status: 502 });

  expect(points).toHaveLength(200);
});

it('client.records fails instead of ending quietly if more records match than a search reaches', async () => {
  submit('Many', 10_100);
  const points: unknown[] = [];

  await expect(read('Many', points)).rejects.toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 400, faults: [] });

  expect(points).toHaveLength(10_000);
});
