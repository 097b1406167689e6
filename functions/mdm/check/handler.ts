import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { checkMdm } from '#lib/mdm/services/check.ts';
import { conclude } from '#lib/runtime/checks.ts';
import { mdmCheck } from './contract.ts';

export const run: Run<typeof mdmCheck, undefined> = async ({ businessEntity, failOn }, _, invocation) =>
  conclude(await checkMdm(invocation, businessEntity), failOn, invocation);

export const handler = endpoint(mdmCheck, () => undefined, run);
