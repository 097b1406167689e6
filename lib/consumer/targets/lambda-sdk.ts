/* In a file of its own, read on demand: a consumer whose target is the MDM does without it. */
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
