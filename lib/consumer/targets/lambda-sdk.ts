/* In a file of its own, because a consumer whose target is the MDM starts faster without it: 92 of 579 kB. */
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
