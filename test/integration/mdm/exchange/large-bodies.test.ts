import { afterEach, expect, it } from '@jest/globals';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { FLAGS_OF_512_MB, peakMbOf, startContainer } from '#test/support/aws/container.ts';
import { use } from '#test/support/jest/use.ts';

const MOST_MB = 490;

const mdm = await use(startSandboxMdm());
const secrets = await use(startSecretsManager({ 'test/default': { mdm: mdm.secret } }));
const lambda = await use(startContainer(secrets, {}, FLAGS_OF_512_MB));

const person = {
  _meta: { businessId: 'MDM0001', states: { base: 'ACTIVE', consolidation: 'CONSOLIDATED' }, createdBy: 'admin' },
  lastName: 'Mustermann',
  PostalAddress: [{ _id: '4711', city: 'München', postalCode: '80331' }],
};
/** So many megabytes of records; with `more`, a member of the first. */
const records = (megabytes: number, more = {}) => {
  const count = Math.floor((megabytes * 1e6) / JSON.stringify(person).length);
  return { content: [{ ...person, ...more }, ...Array<typeof person>(count).fill(person)] };
};
const request = () =>
  lambda.post('/mdm/http-request', { method: 'GET', path: '/business-entity/public/api/v1/entity/c360.person/1' });

afterEach(async () => {
  expect((await request()).status).toBe(404); // the container takes the next call
  expect(peakMbOf(lambda)).toBeLessThan(MOST_MB);
});

it.each([
  ['28 MB of records', records(28)],
  ['18 MB of records, one with a name of digits', records(18, { 7: 1 })],
])('a function of 512 MB reads %s, which do not fit into a response', async (_, body) => {
  mdm.misbehave({ path: '/business-entity', status: 200, body });

  expect((await request()).status).toBe(413);
});

it('a function of 512 MB refuses 40 MB of records, and says what helps', async () => {
  mdm.misbehave({ path: '/business-entity', status: 200, body: records(40) });

  const { status, text } = await request();

  expect(status).toBe(502);
  expect(JSON.parse(text)).toMatchObject({
    type: 'MDM:SERVER_ERROR',
    detail: 'The master data API answered with a body over 30 MB',
    hint: 'Narrow the call, or give the function more memory.',
  });
});
