import { LambdaClient } from '@aws-sdk/client-lambda';
import { createClient, type Client } from '#lib/client/client.ts';
import { httpTransport } from '#lib/client/http.ts';
import { lambdaTransport } from '#lib/client/lambda.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { Lifetime } from '#sandbox/stack/lifetime.ts';
import { functionNameOf } from '#sandbox/stack/names.ts';
import { startOffline } from '#sandbox/stack/offline.ts';

/** serverless-offline as `npm start` runs it, on a Secrets Manager of the test's, and a client for each way in. */
export interface OfflineStack {
  readonly overHttp: Client;
  readonly overLambda: Client;
  stop(): Promise<void>;
}

/** Starts it; secrets have the prefix `mdm-stream/local/`. */
export async function startOfflineStack(secretsUrl: string): Promise<OfflineStack> {
  const ports = { http: await freePort(), lambda: await freePort() };
  const started = Promise.withResolvers<undefined>();
  const stopped = Promise.withResolvers<undefined>();
  const lifetime = new Lifetime();
  const running = lifetime.run(async () => {
    await startOffline({ ports, secretsUrl }, lifetime).then(() => started.resolve(undefined), started.reject);
    await stopped.promise;
    return 0;
  });
  await started.promise;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const endpoint = `http://localhost:${ports.lambda}`;
  // its server closes what is idle for five seconds, and a call on a busy machine may meet that
  const requestHandler = { httpAgent: { keepAlive: false } };
  const lambda = new LambdaClient({ endpoint, region: 'eu-central-1', credentials, maxAttempts: 1, requestHandler });
  return {
    overHttp: createClient(httpTransport({ url: `http://localhost:${ports.http}` })),
    overLambda: createClient(lambdaTransport({ functionPrefix: functionNameOf(''), lambda })),
    async stop() {
      lambda.destroy();
      stopped.resolve(undefined);
      await running;
    },
  };
}
