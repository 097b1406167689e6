import { expect, it } from '@jest/globals';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { invokeSource, postSource } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());

it.each([
  ['digits-18', /^\d{18}$/],
  ['digits-29', /^\d{29}$/],
] as const)('keeps a business id of %s that is sent as a bare number', async (businessIds, pattern) => {
  const mdm = await startSandboxMdm({ businessIds });
  const configRef = stack.configure(mdm.secret);
  const key = { configRef, businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };

  const submitted = await invokeSource(sourceSubmit, { ...key, record: { name: 'Bonn', country: { Code: 'DE' } } });
  const businessId = String(submitted.attributes.businessId);
  const { text } = await postSource(masterRead, { configRef, businessEntity: 'c360.city', businessId });
  await mdm.close();

  expect(businessId).toMatch(pattern);
  expect(text).toMatch(new RegExp(`"_meta":\\{[^}]*"businessId":${businessId},`));
  expect(text).toContain(`"attributes":{"businessId":"${businessId}"`);
});
