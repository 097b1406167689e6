import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { functions } from '#scripts/build/functions.ts';
import { BUNDLES } from '#scripts/build/forms.ts';
import { startLambda } from '#sandbox/aws/lambda.ts';
import { startInvokeApi } from '#sandbox/aws/runtime/invoke-api.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { startHttpGateway } from '../support/aws/http-gateway.ts';

/*
 * The functions with the environment of its argument, and an MDM: over HTTP from one process, and by Lambda's Invoke
 * API, where each has AWS' runtime client and, if the environment has a collector, an OpenTelemetry layer. Prints its
 * addresses and the secret of the MDM; ends with its input.
 */

const LAYER = fileURLToPath(new URL('../support/aws/opentelemetry-layer.mjs', import.meta.url));

const given = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const env: Record<string, string> = { CONNECTOR_SECRET_PREFIX: 'interop/', CONNECTOR_SECRET_TTL_MS: '1000', ...given };
const execArgv = env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? [] : ['--import', LAYER];
const mdm = await startSandboxMdm();
const lambda = await startLambda({ env });
const gateway = await startHttpGateway(lambda);
const invokeApi = await startInvokeApi((functionName) => {
  const operation = functionName.replace(/^mdm-stream-[a-z]+-/, ''); // named as a stage does, or alone
  return functions.some(({ name }) => name === operation)
    ? {
        taskRoot: process.cwd(),
        handler: `${BUNDLES.local}/${operation}/index.handler`,
        functionName,
        env,
        execArgv,
      }
    : undefined;
});
console.log(JSON.stringify({ http: gateway.url, invoke: invokeApi.url, mdm: mdm.secret }));
await once(process.stdin.resume(), 'end');
await gateway.close();
await Promise.all([lambda.stop(), invokeApi.close(), mdm.close()]);
