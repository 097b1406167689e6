import { checkStream } from '#lib/consumer/operator/check.ts';
import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { conclude } from '#lib/runtime/checks.ts';
import { streamCheck } from './contract.ts';

export const run: Run<typeof streamCheck, undefined> = async ({ failOn, ...scope }, _, invocation) =>
  conclude(await checkStream(invocation, scope), failOn, invocation);

export const handler = endpoint(streamCheck, () => undefined, run);
