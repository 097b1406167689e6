import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { unzipSync } from 'fflate';
import { functions } from '#scripts/build/functions.ts';
import { startInvokeApi } from '#sandbox/aws/runtime/invoke-api.ts';
import { packageStage } from './packaged-template.ts';

/** What the names of the packaged functions begin with. */
export const FUNCTION_PREFIX = 'mdm-stream-dev-';

/** The packaged functions behind Lambda's Invoke API, each under AWS's own runtime client. */
export interface LambdaService {
  readonly url: string;
  readonly client: LambdaClient;
  /** What a function wrote so far, a line each. */
  logOf(functionName: string): readonly string[];
  stop(): Promise<void>;
}

/**
 * Packages the functions of `dist/` (`npm run build`) as a deployment does, and serves the zips.
 *
 * @example
 * const env = { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: url };
 * const service = await startLambdaService(env);
 * const call = new InvokeCommand({ FunctionName: `${FUNCTION_PREFIX}stream-xadd` });
 * const { Payload } = await service.client.send(call);
 */
export async function startLambdaService(env: Record<string, string>): Promise<LambdaService> {
  const folder = mkdtempSync(join(tmpdir(), 'lambda-service-'));
  await packageStage({ directory: folder });
  const api = await startInvokeApi((functionName) => {
    const key = functionName.replace(FUNCTION_PREFIX, '');
    if (!functions.some(({ name }) => name === key)) return undefined;
    const taskRoot = join(folder, key);
    unzip(join(folder, `${key}.zip`), taskRoot);
    return { taskRoot, handler: `dist/${key}/index.handler`, functionName, env: { LOG_LEVEL: 'error', ...env } };
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new LambdaClient({ endpoint: api.url, region: 'eu-central-1', credentials, maxAttempts: 1 });
  return {
    url: api.url,
    client,
    logOf: (name) => api.logOf(name),
    async stop() {
      client.destroy();
      await api.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function unzip(zip: string, folder: string): void {
  for (const [path, contents] of Object.entries(unzipSync(readFileSync(zip)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
}
