import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient, type Client } from '../../lib/client/client.ts';
import { startFixture, type Fixture } from '../support/stream-fixture.ts';

let fixture: Fixture;
let endpoint: Server;
let client: Client;

/** The Invoke API of Lambda in front of the packaged functions, named `mdm-stream-test-…`. */
beforeAll(async () => {
  fixture = await startFixture();
  endpoint = createServer((request, response) => {
    void text(request).then(async (payload) => {
      const name = request.url!.split('/')[3]!.replace('mdm-stream-test-', '');
      try {
        response.end(JSON.stringify(await fixture.lambda.invoke(name, JSON.parse(payload))));
      } catch (failure) {
        response.setHeader('x-amz-function-error', 'Unhandled').end(JSON.stringify(failure));
      }
    });
  });
  await once(endpoint.listen(0, '127.0.0.1'), 'listening');
  const lambda = new LambdaClient({
    endpoint: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  client = createClient({ functionPrefix: 'mdm-stream-test-', lambda });
});
afterAll(async () => {
  endpoint.closeAllConnections();
  endpoint.close();
  await fixture.stop();
});

describe('the client for other Lambdas', () => {
  it('gives the output of an operation', async () => {
    const key = fixture.key();

    const id = await client.invoke('stream-xadd', { key, entry: { order: '1001' } });
    const entries = await client.invoke('stream-xrange', { key, start: '-', end: '+' });

    expect(entries).toEqual({ [id!]: { order: '1001' } });
  });

  it('gives numbers beyond 2^53 by their digits', async () => {
    const key = fixture.key();
    const entriesRead = '9007199254740993';

    await client.invoke('stream-xgroup-create', { key, group: 'g', mkstream: true, entriesRead });
    const [group] = await client.invoke('stream-xinfo-groups', { key });

    expect(JSON.stringify(group)).toContain(`"entries-read":${entriesRead}`);
  });

  it('throws the error that the operation raised', async () => {
    await expect(client.invoke('stream-xadd', { key: 'k', entry: {} })).rejects.toMatchObject({
      type: 'STREAM:ARGUMENT',
      message: '/entry must have at least 1 fields',
    });
  });

  it('does not compile for what is no operation, or no parameter', () => {
    const misuse = () => {
      // @ts-expect-error -- there is no such operation
      void client.invoke('stream-xfoo', {});
      // @ts-expect-error -- key is required
      void client.invoke('stream-xadd', { entry: { a: '1' } });
    };

    expect(misuse).toBeInstanceOf(Function);
  });
});
