import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { handler as masterRead } from '../../../functions/mdm/master-read/handler.ts';
import { handler as sourceSubmit } from '../../../functions/mdm/source-submit/handler.ts';
import { invokeSource } from '../../support/source-handler.ts';
import { startSandboxMdm, type SandboxMdm } from '../../support/sandbox-mdm/index.ts';
import { startSecretsManager, type SecretsManager } from '../../support/secrets-manager.ts';

let mdm: SandboxMdm;
let secrets: SecretsManager;

beforeAll(async () => {
  mdm = await startSandboxMdm();
  secrets = await startSecretsManager({ 'test/default': { mdm: mdm.secret } });
  Object.assign(process.env, {
    CONNECTOR_SECRET_PREFIX: 'test/',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
});
afterAll(async () => {
  await mdm.close();
  await secrets.close();
});

describe('source-submit and master-read', () => {
  it('merges two source records of one city into one golden record', async () => {
    const city = { businessEntity: 'c360.city', record: { name: 'Bonn', country: { Code: 'DE' }, population: 1 } };

    await invokeSource(sourceSubmit, { ...city, sourceSystem: 'geonames', sourcePKey: 'g-1' });
    await invokeSource(sourceSubmit, {
      ...city,
      sourceSystem: 'gazetteer',
      sourcePKey: 'z-1',
      record: { name: 'Bonn', country: { Code: 'DE' }, featureCode: 'PPL' },
    });
    const golden = await invokeSource(masterRead, {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      sourcePKey: 'g-1',
    });

    expect(golden).toMatchObject({
      payload: { name: 'Bonn', population: 1, featureCode: 'PPL', country: { Name: 'Germany', Code: 'DE' } },
      attributes: { consolidation: 'CONSOLIDATED', statusCode: 200 },
    });
  });
});
