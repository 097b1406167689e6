import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { handler as recordSchema } from '../../../functions/mdm/record-schema/handler.ts';
import { startMdmStack, type MdmStack } from '../../support/mdm-sandbox.ts';
import { invokeSource } from '../../support/source-handler.ts';

let stack: MdmStack;
let lambda: Server;
const invoked: (string | undefined)[] = [];
beforeAll(async () => {
  stack = await startMdmStack();
  lambda = createServer((request, response) => {
    invoked.push(request.url);
    void json(request)
      .then((payload) => invokeSource<object>(recordSchema, payload))
      .then((output) => response.end(JSON.stringify(output)));
  });
  await once(lambda.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  lambda.closeAllConnections();
  lambda.close();
  await stack.close();
});

const types = (...args: string[]) =>
  promisify(execFile)('node', ['scripts/types.ts', '--function-prefix', 'mdm-stream-test-', ...args], {
    env: { ...process.env, AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${(lambda.address() as AddressInfo).port}` },
  });

it('prints the types of an entity, from the data model of the tenant', async () => {
  const { stdout } = await types('--entity', 'c360.city');

  expect(invoked).toEqual(['/2015-03-31/functions/mdm-stream-test-mdm-record-schema/invocations']);
  expect(stdout).toContain('export interface City {');
  expect(stdout).toMatch(/\n {2}name: \w+;/);
  expect(stdout).toMatch(/\n {2}population\?: /);
});

it('says how it is used', async () => {
  await expect(types()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npm run types -- --entity <id>'),
  });
});
