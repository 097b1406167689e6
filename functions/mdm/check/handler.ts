import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { checkMdm } from '#lib/mdm/check.ts';
import { conclude } from '#lib/invocation/checks.ts';
import { mdmCheck } from './contract.ts';

export const run: Implementation<typeof mdmCheck, undefined> = async ({ businessEntity, failOn }, _, invocation) =>
  conclude(await checkMdm(invocation, businessEntity), failOn, invocation);

export const handler = endpoint(mdmCheck, () => undefined, run);
