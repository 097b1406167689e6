import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { previewMerge } from '#lib/mdm/records/golden-record.ts';
import { mergePreview } from './contract.ts';

export const run: Implementation<typeof mergePreview, MdmClient> = ({ businessEntity, records }, mdm) =>
  previewMerge(mdm, businessEntity, records);

export const handler = endpoint(mergePreview, openMdm, run);
