import { once } from 'node:events';
import { startLambda } from '#sandbox/aws/lambda.ts';
import { startHttpGateway } from '../support/aws/http-gateway.ts';

/*
 * The functions over HTTP, reading their configurations below `interop/` from the Secrets Manager at this address. Prints
 * its own address; ends with its input.
 */

const [secretsUrl = ''] = process.argv.slice(2);
const env = { CONNECTOR_SECRET_PREFIX: 'interop/', CONNECTOR_SECRET_TTL_MS: '1000', AWS_REGION: 'eu-central-1' };
const lambda = await startLambda({ env: { ...env, AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsUrl } });
const gateway = await startHttpGateway(lambda);
console.log(gateway.url);
await once(process.stdin.resume(), 'end');
await gateway.close();
await lambda.stop();
