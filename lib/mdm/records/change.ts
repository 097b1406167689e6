import type { ChangeResponse } from '../../contract/parameters/source.ts';
import { commonAttributes, texts } from '../exchange/attributes.ts';
import type { HttpResponse } from '../exchange/http-response.ts';
import { readObjectIfAny } from '../exchange/response.ts';

/** The output of a change: the API's response, and whether it needs approval. */
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
