/* In a file of its own, read on demand: a consumer whose target is the MDM does without it. */
import { LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { awsSigner } from '../../runtime/aws-signer.ts';

export { InvokeCommand } from '@aws-sdk/client-lambda';

/** A client with one signer for all calls: the SDK makes one, and copies its settings, for each. */
export const lambdaClient = (config: LambdaClientConfig) =>
  new LambdaClient({ ...config, signer: awsSigner('lambda') });
