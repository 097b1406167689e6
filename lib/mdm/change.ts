import type { ChangeResponse } from '../contract/source-parameters.ts';
import { commonAttributes, texts } from './attributes.ts';
import type { HttpResponse } from './http-response.ts';
import { readObjectIfAny } from './response.ts';

/** The output of a change: what the API responded with, and whether it waits for an approval. */
export function changeOf(response: HttpResponse): ChangeResponse {
  const payload = readObjectIfAny(response);
  const { approvalRequired } = payload;
  return {
    payload,
    attributes: {
      ...texts(payload, ['businessId']),
      ...(typeof approvalRequired === 'boolean' && { approvalRequired }),
      ...commonAttributes(response, payload),
    },
  };
}
