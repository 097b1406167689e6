import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { submitBatch } from '#lib/mdm/records/source-submit-batch.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { sourceSubmitBatch } from './contract.ts';

export const run: Implementation<typeof sourceSubmitBatch, MdmClient> = async (parameters, mdm, invocation) => {
  const { businessEntity, records, validate } = parameters;
  if (validate) {
    const { validateRecords } = await import('#lib/mdm/metadata/record-validation.ts'); // 30 kB, on demand
    await validateRecords(mdm, businessEntity, records);
  }
  return { results: await submitBatch(mdm, parameters, invocation) };
};

export const handler = endpoint(sourceSubmitBatch, openMdm, run);
