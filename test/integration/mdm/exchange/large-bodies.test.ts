import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { startLambda } from '#sandbox/aws/lambda.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { use } from '#test/support/jest/use.ts';

/** How Lambda starts Node in a function of 512 MB. */
const execArgv = ['--max-old-space-size=460', '--max-semi-space-size=25'];
const MOST_MB = 490;

const mdm = await use(startSandboxMdm());
const secrets = await use(startSecretsManager({ 'test/default': { mdm: mdm.secret } }));
const env = { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url };
const lambda = await use(startLambda({ env, execArgv }));

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

it.each([
  ['28 MB of records', records(28), 413],
  ['18 MB of records, one with a name of digits', records(18, { 7: 1 }), 413],
  ['40 MB of records', records(40), 502],
])('a function of 512 MB answers a body of %s, and takes the next call', async (_, body, expected) => {
  mdm.misbehave({ path: '/business-entity', status: 200, body });
  const call = { method: 'GET', path: '/business-entity/public/api/v1/entity/c360.person/1' };

  const { status, text } = await lambda.post('/mdm/http-request', call);

  expect(status).toBe(expected);
  if (status === 502) {
    expect(JSON.parse(text)).toMatchObject({
      type: 'MDM:SERVER_ERROR',
      detail: 'The master data API answered with a body over 30 MB',
      hint: 'Narrow the call, or give the function more memory.',
    });
  }
  expect((await lambda.post('/mdm/http-request', call)).status).toBe(404);
  const peakMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${lambda.pid}/status`, 'utf8'))![1]) / 1024;
  expect(peakMb).toBeLessThan(MOST_MB);
});
