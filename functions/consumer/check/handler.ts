import { checkStream } from '#lib/consumer/operator/check.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { conclude } from '#lib/invocation/checks.ts';
import { streamCheck } from './contract.ts';

export const run: Implementation<typeof streamCheck, undefined> = async ({ failOn, ...scope }, _, invocation) =>
  conclude(await checkStream(invocation, scope), failOn, invocation);

export const handler = endpoint(streamCheck, () => undefined, run);
