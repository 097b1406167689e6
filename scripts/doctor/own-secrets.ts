import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { Operation } from '#lib/contract/operation.ts';
import { Invocation } from '#lib/invocation/invocation.ts';
import { startSecretsManager, type SecretsManager } from '#sandbox/aws/secrets-manager.ts';

/*
 * The doctor calls the operations in its own process, as functions: they read their configurations from a Secrets
 * Manager on loopback.
 */

/** Time of each operation, as long as Lambda would give it. */
const TIMEOUT_MS = 29_000;
const PREFIX = 'doctor/';

let started: Promise<SecretsManager> | undefined;

/** The Secrets Manager, and from then on the one of this process. */
export async function ownSecrets(): Promise<SecretsManager> {
  started ??= startSecretsManager();
  const secrets = await started;
  readAt(secrets.url);
  return secrets;
}

/** Makes a configuration known under this configRef. */
export async function putSecret(configRef: string, secret: object | string): Promise<void> {
  (await ownSecrets()).set(PREFIX + configRef, secret);
}

/**
 * The environment of a function that reads its secrets at this URL. Credentials of the shell stay, for `auth: "iam"`.
 */
function readAt(url: string): void {
  Object.assign(process.env, {
    AWS_REGION: process.env.AWS_REGION ?? 'us-east-1',
    AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? 'none',
    AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? 'none',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
    CONNECTOR_SECRET_PREFIX: PREFIX,
    LOG_LEVEL: 'error',
  });
}

export async function closeSecrets(): Promise<void> {
  await (await started)?.close();
  started = undefined;
}

/** The context of a call. */
export function contextOfCall(): Context {
  const endsAt = performance.now() + TIMEOUT_MS;
  return { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => endsAt - performance.now() } as Context;
}

export const invocationOf = (operation: Operation, configRef: string): Invocation =>
  new Invocation(operation, { configRef }, contextOfCall(), () => 'text');
