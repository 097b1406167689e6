import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult, TextResourceContents } from '@modelcontextprotocol/sdk/types.js';
import { registry } from '#functions/registry.ts';
import { startContainer } from '../../support/aws/container.ts';
import { startHttpGateway, type HttpGateway } from '../../support/aws/http-gateway.ts';
import { startMdmFixture, type MdmFixture } from '../../support/mdm/mdm-fixture.ts';

let fixture: MdmFixture;
let gateway: HttpGateway;
let reader: Client;
let writer: Client;

/** The official SDK's client, connected to `npm run mcp` in a separate process. */
async function connect(url: string, ...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const command = { command: process.execPath, args: ['scripts/mcp.ts', '--url', url, ...args] };
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
  return client;
}

async function call(client: Client, name: string, input: object): Promise<{ isError: boolean; text: string }> {
  const result = (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
  const [content] = result.content;
  return { isError: result.isError ?? false, text: content?.type === 'text' ? content.text : '' };
}

beforeAll(async () => {
  fixture = await startMdmFixture();
  const redis = { url: fixture.url };
  fixture.secrets.set('test/model', { redis, mdm: fixture.mdm.secret, access: { readOnly: true, keys: ['orders'] } });
  fixture.secrets.set('test/streams', { redis, mdm: fixture.mdm.secret, access: { operations: ['stream-*'] } });
  gateway = await startHttpGateway(fixture.lambda);
  [reader, writer] = [await connect(gateway.url), await connect(gateway.url, '--allow-writes')];
}, 60_000);
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()]);
  await gateway.close();
  await fixture.stop();
});

describe('npm run mcp', () => {
  it('npm run mcp offers only reading operations, and with a flag all that HTTP reaches', async () => {
    const routed = registry.filter(({ deploy }) => deploy.http);
    const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

    expect(await namesOf(reader)).toEqual(routed.filter(({ readOnly }) => readOnly).map(({ name }) => name));
    expect(await namesOf(writer)).toEqual(routed.map(({ name }) => name));
  });

  it('npm run mcp offers of a deployment what it has, with --url', async () => {
    const part = await startContainer(fixture.secrets, {
      CONNECTOR_OPERATIONS: 'mdm-search,stream-xlen,stream-xadd,api-*',
    });
    const api = await startHttpGateway(part);
    const client = await connect(api.url);

    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    await client.close();
    await api.close();
    await part.stop();

    expect(tools.map(({ name }) => name)).toEqual(['mdm-search', 'stream-xlen']);
    expect(resources).toEqual([]);
  });

  it('npm run mcp classifies operations as reads by their names', async () => {
    const READS =
      /-(read|preview|search|list|match|check|status|entities|systems|schema|xlen|xrange|xrevrange|xread|xpending|xinfo-[a-z]+)$/;
    const { tools } = await reader.listTools();
    const routed = registry.filter(({ deploy }) => deploy.http).map(({ name }) => name);

    expect(tools.map(({ name }) => name)).toEqual(routed.filter((name) => READS.test(name)));
  });

  it("npm run mcp has an object as each tool's schema, without alternatives at the top", async () => {
    const { tools } = await writer.listTools();

    for (const { inputSchema } of tools) {
      expect(inputSchema.type).toBe('object');
      expect(Object.keys(inputSchema)).not.toEqual(expect.arrayContaining(['oneOf']));
    }
    expect(tools.find(({ name }) => name === 'mdm-master-read')!.description).toContain(
      'Give either businessId, or sourceSystem with sourcePKey.',
    );
  });

  it('npm run mcp describes a tool by its contract', async () => {
    const { tools } = await reader.listTools();
    const tool = tools.find(({ name }) => name === 'stream-xrange');

    expect(tool).toMatchObject({
      title: 'Read a range of entries',
      inputSchema: { type: 'object', required: ['key', 'start', 'end'], properties: { key: { type: 'string' } } },
      annotations: { readOnlyHint: true },
    });
  });

  it('npm run mcp calls operations', async () => {
    const key = fixture.key();

    const added = await call(writer, 'stream-xadd', { key, entry: { order: '1001' } });
    const read = await call(reader, 'stream-xrange', { key, start: '-', end: '+' });

    expect(added.isError).toBe(false);
    expect(JSON.parse(read.text)).toEqual({ [JSON.parse(added.text) as string]: { order: '1001' } });
  });

  it('npm run mcp keeps the digits of numbers beyond 2^53', async () => {
    const key = fixture.key();
    await fixture.redis('XGROUP', 'CREATE', key, 'g', '$', 'MKSTREAM', 'ENTRIESREAD', '9007199254740993');

    expect((await call(reader, 'stream-xinfo-groups', { key })).text).toContain('"entries-read":9007199254740993');
  });

  it('npm run mcp refuses a write without the flag', async () => {
    const key = fixture.key();

    const refused = await call(reader, 'stream-xadd', { key, entry: { order: '1001' } });

    expect(refused).toEqual({ isError: true, text: 'stream-xadd writes: start the server with --allow-writes' });
    expect(await fixture.redis('EXISTS', key)).toBe(0);
  });

  it("npm run mcp reports an operation's error as a tool error with its type and faults", async () => {
    const { isError, text } = await call(reader, 'stream-xrange', { key: 'k', start: 'x', end: '+' });

    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({
      type: 'STREAM:ARGUMENT',
      status: 400,
      retryable: false,
      errors: [{ pointer: '/start' }],
    });
  });

  it.each([
    [
      'stream-xadd',
      'model',
      { key: 'orders', entry: { a: '1' } },
      'STREAM:COMMAND',
      'allows only operations that read',
    ],
    [
      'stream-xlen',
      'model',
      { key: 'invoices' },
      'STREAM:COMMAND',
      'is a stream key that configRef model does not allow',
    ],
    ['mdm-business-entities', 'streams', {}, 'MDM:CLIENT_ERROR', 'does not allow mdm-business-entities'],
  ])('npm run mcp says that access refuses %s with configRef %s', async (name, configRef, input, type, sentence) => {
    const before = fixture.mdm.requests.length;

    const { isError, text } = await call(writer, name, { ...input, configRef });

    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ type, status: 403, retryable: false });
    expect(text).toContain(sentence);
    expect([await fixture.redis('EXISTS', 'orders'), fixture.mdm.requests.length]).toEqual([0, before]);
  });

  it("npm run mcp lists the tenant's business entities as a resource, by the ids that tools take", async () => {
    const { resources } = await reader.listResources();
    const [resource] = resources;
    const { contents } = await reader.readResource({ uri: resource!.uri });
    const entities = JSON.parse((contents[0] as TextResourceContents).text) as { id: string; displayName: string }[];

    expect(resources).toMatchObject([{ uri: 'mdm://business-entities', mimeType: 'application/json' }]);
    expect(entities).toEqual(expect.arrayContaining([{ id: 'c360.city', displayName: 'City' }]));
    const { isError } = await call(reader, 'mdm-record-schema', {
      businessEntity: entities[0]!.id,
      operation: 'search',
    });
    expect(isError).toBe(false);
  });

  it('npm run mcp says why a resource cannot be read', async () => {
    const offline = await connect('http://127.0.0.1:1');

    await expect(offline.readResource({ uri: 'mdm://business-entities' })).rejects.toThrow('CLIENT:TRANSPORT');
    await expect(offline.readResource({ uri: 'mdm://planets' })).rejects.toThrow('There is no resource mdm://planets');
    await offline.close();
  });

  it('npm run mcp reports an unknown tool', async () => {
    expect(await call(writer, 'stream-xfoo', {})).toEqual({ isError: true, text: 'There is no operation stream-xfoo' });
  });
});
