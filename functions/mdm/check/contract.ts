import Type from 'typebox';
import { CheckReport, FailOn } from '#lib/contract/parameters/check.ts';
import { fromClients, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import { BusinessEntity } from '#lib/contract/parameters/mdm.ts';

export const mdmCheck = defineOperation({
  name: 'mdm-check',
  group: 'metadata',
  summary: 'Check the way to the master data API, step by step',
  description:
    'Checks the secret, the login, the session, the data model, `businessEntity` if you give one, and a search of ' +
    'one record. It only reads. Over HTTP a failed check is a 200 with `ok: false`; a direct or scheduled ' +
    'invocation fails with `CONNECTOR:CHECK`, so that an alarm can watch it.',
  input: Type.Object({ businessEntity: Type.Optional(BusinessEntity), failOn: FailOn }),
  output: CheckReport,
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'CONNECTOR:CHECK'],
  knownFrom: {
    login: fromVendor('Authentication method', 'Logins of version 2 and 3.'),
    model: fromClients('The path of the data model.'),
    search: fromVendor('Search API', 'The search of one record.'),
  },
  example: {
    input: { businessEntity: 'c360.city' },
    output: {
      ok: true,
      checks: [
        {
          name: 'secret',
          status: 'passed',
          ms: 12,
          detail: 'Valid: login-v3 at dm-us.example.com; the login says where the API is',
        },
        { name: 'login', status: 'passed', ms: 340, detail: 'The API is at use4-mdm.dm-us.example.com' },
        { name: 'session', status: 'passed', ms: 0, detail: 'Ends in 29 min, and is renewed before' },
        { name: 'metadata', status: 'passed', ms: 410, detail: '3 business entities, 2 source systems' },
        { name: 'business-entity', status: 'passed', ms: 0, detail: 'City; source systems: geonames' },
        { name: 'search', status: 'passed', ms: 95, detail: 'Found 1204 records of c360.city' },
      ],
    },
  },
});
