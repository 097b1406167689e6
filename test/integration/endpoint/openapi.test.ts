import { expect, it } from '@jest/globals';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { httpEvent } from '#sandbox/aws/http-event.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startContainer } from '../../support/aws/container.ts';
import { use } from '../../support/jest/use.ts';

const secrets = await use(startSecretsManager());
const lambda = await use(startContainer(secrets, { CONNECTOR_OPERATIONS: 'mdm-check,stream-x*,api-*' }));

async function request(method: string, path: string) {
  const response = await lambda.invoke<APIGatewayProxyStructuredResultV2>('api-openapi', httpEvent(method, path));
  return { status: response.statusCode, json: JSON.parse(response.body!) as Record<string, unknown> };
}

it('GET /openapi.json lists the operations of the deployment alone', async () => {
  const { json } = await request('GET', '/openapi.json');

  const paths = Object.keys(json.paths as object);
  expect(paths).toContain('/mdm/check');
  expect(paths).toContain('/stream/xadd');
  expect(paths.filter((path) => !/^\/(mdm\/check|stream\/x.+)$/.test(path))).toEqual([]);
});

it('an operation that is not deployed is a 404, and one that is takes POST alone', async () => {
  const [absent, other] = [await request('GET', '/mdm/search'), await request('GET', '/stream/xadd')];

  expect(absent).toMatchObject({ status: 404, json: { detail: 'There is no GET /mdm/search: see GET /openapi.json' } });
  expect(other).toMatchObject({ status: 405, json: { detail: '/stream/xadd takes POST, not GET' } });
});
