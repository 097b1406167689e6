import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { submitSource } from '#lib/mdm/records/source-submit.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { sourceSubmit } from './contract.ts';

export const run: Implementation<typeof sourceSubmit, MdmClient> = async ({ validate, ...submission }, mdm) => {
  if (validate) {
    const { validateRecord } = await import('#lib/mdm/metadata/record-validation.ts'); // 30 kB, on demand
    await validateRecord(mdm, submission.businessEntity, submission);
  }
  return submitSource(mdm, submission);
};

export const handler = endpoint(sourceSubmit, openMdm, run);
