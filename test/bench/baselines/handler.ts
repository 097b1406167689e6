import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createClient } from 'redis';

/* XADD on Lambda as one would write it by hand: no validation, no error mapping, one kind of Redis. */

const secrets = new SecretsManagerClient({});

async function connect() {
  const SecretId = `${process.env.CONNECTOR_SECRET_PREFIX}default`;
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  const { redis } = JSON.parse(SecretString!) as { redis: { url: string } };
  const client = createClient({ url: redis.url });
  client.on('error', console.error);
  await client.connect();
  return client;
}

interface Call {
  key: string;
  entry: Record<string, string>;
}

let connection: ReturnType<typeof connect> | undefined;

export async function handler(event: Call | { body: string }) {
  const isHttp = 'body' in event;
  const { key, entry } = isHttp ? (JSON.parse(event.body) as Call) : event;
  connection ??= connect();
  const id = await (await connection).xAdd(key, '*', entry);
  return isHttp ? { statusCode: 200, headers: { 'content-type': 'text/plain' }, body: id } : id;
}
