import { mdmClient, type MdmClient } from '../../../lib/mdm/client.ts';
import { submitSource } from '../../../lib/mdm/source-submit.ts';
import { endpoint, type Run } from '../../../lib/operation/endpoint.ts';
import { sourceSubmit } from './contract.ts';

export const run: Run<typeof sourceSubmit, MdmClient> = (parameters, mdm) => submitSource(mdm, parameters);

export const handler = endpoint(sourceSubmit, mdmClient, run);
