import { expect, it } from '@jest/globals';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { use } from '../../support/jest/use.ts';

const { url } = await use(startSecretsManager({ 'mdm-stream/local/default': { mdm: 1 } }));
const client = new SecretsManagerClient({
  endpoint: url,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  maxAttempts: 1,
});
const read = async (SecretId: string) =>
  JSON.parse((await client.send(new GetSecretValueCommand({ SecretId }))).SecretString!) as unknown;

it("the local stack's Secrets Manager creates a secret, and changes an existing one", async () => {
  await client.send(new CreateSecretCommand({ Name: 'mdm-stream/local/mine', SecretString: '{"mdm":2}' }));
  await client.send(new PutSecretValueCommand({ SecretId: 'mdm-stream/local/default', SecretString: '{"mdm":3}' }));

  expect(await read('mdm-stream/local/mine')).toEqual({ mdm: 2 });
  expect(await read('mdm-stream/local/default')).toEqual({ mdm: 3 });
  await expect(
    client.send(new CreateSecretCommand({ Name: 'mdm-stream/local/mine', SecretString: '{}' })),
  ).rejects.toThrow(expect.objectContaining({ name: 'ResourceExistsException' }));
  await expect(
    client.send(new PutSecretValueCommand({ SecretId: 'mdm-stream/local/no', SecretString: '{}' })),
  ).rejects.toThrow(expect.objectContaining({ name: 'ResourceNotFoundException' }));
});
