import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { registry } from '../../../functions/registry.ts';
import { startHttpGateway, type HttpGateway } from '../../support/aws/http-gateway.ts';
import { startFixture, type Fixture } from '../../support/stream/stream-fixture.ts';

let fixture: Fixture;
let gateway: HttpGateway;
let reader: Client;
let writer: Client;

/** The client of the official SDK, on `npm run mcp` in a process of its own. */
async function connect(...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const command = { command: process.execPath, args: ['scripts/mcp.ts', '--url', gateway.url, ...args] };
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
  return client;
}

async function call(client: Client, name: string, input: object): Promise<{ isError: boolean; text: string }> {
  const result = (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
  const [content] = result.content;
  return { isError: result.isError ?? false, text: content?.type === 'text' ? content.text : '' };
}

beforeAll(async () => {
  fixture = await startFixture();
  gateway = await startHttpGateway(fixture.lambda);
  [reader, writer] = [await connect(), await connect('--allow-writes')];
}, 60_000);
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()]);
  await gateway.close();
  await fixture.stop();
});

describe('npm run mcp', () => {
  it('offers the operations that only read, and with a flag all that HTTP reaches', async () => {
    const routed = registry.filter(({ deploy }) => deploy.http);
    const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

    expect(await namesOf(reader)).toEqual(routed.filter(({ readOnly }) => readOnly).map(({ name }) => name));
    expect(await namesOf(writer)).toEqual(routed.map(({ name }) => name));
  });

  it('offers as reads what reads by its name, and nothing else', async () => {
    const READS =
      /-(read|search|list|match|status|entities|systems|schema|xlen|xrange|xrevrange|xread|xpending|xinfo-[a-z]+)$/;
    const { tools } = await reader.listTools();
    const routed = registry.filter(({ deploy }) => deploy.http).map(({ name }) => name);

    expect(tools.map(({ name }) => name)).toEqual(routed.filter((name) => READS.test(name)));
  });

  it('has an object as the schema of each tool, without alternatives at its top', async () => {
    const { tools } = await writer.listTools();

    for (const { inputSchema } of tools) {
      expect(inputSchema.type).toBe('object');
      expect(Object.keys(inputSchema)).not.toEqual(expect.arrayContaining(['oneOf']));
    }
    expect(tools.find(({ name }) => name === 'mdm-master-read')!.description).toContain(
      'Give either businessId, or sourceSystem with sourcePKey.',
    );
  });

  it('describes a tool by its contract', async () => {
    const { tools } = await reader.listTools();
    const tool = tools.find(({ name }) => name === 'stream-xrange');

    expect(tool).toMatchObject({
      title: 'Read a range of entries',
      inputSchema: { type: 'object', required: ['key', 'start', 'end'], properties: { key: { type: 'string' } } },
      annotations: { readOnlyHint: true },
    });
  });

  it('calls operations', async () => {
    const key = fixture.key();

    const added = await call(writer, 'stream-xadd', { key, entry: { order: '1001' } });
    const read = await call(reader, 'stream-xrange', { key, start: '-', end: '+' });

    expect(added.isError).toBe(false);
    expect(JSON.parse(read.text)).toEqual({ [JSON.parse(added.text) as string]: { order: '1001' } });
  });

  it('keeps the digits of numbers beyond 2^53', async () => {
    const key = fixture.key();
    await fixture.redis('XGROUP', 'CREATE', key, 'g', '$', 'MKSTREAM', 'ENTRIESREAD', '9007199254740993');

    expect((await call(reader, 'stream-xinfo-groups', { key })).text).toContain('"entries-read":9007199254740993');
  });

  it('refuses a write without the flag', async () => {
    const key = fixture.key();

    const refused = await call(reader, 'stream-xadd', { key, entry: { order: '1001' } });

    expect(refused).toEqual({ isError: true, text: 'stream-xadd writes: start the server with --allow-writes' });
    expect(await fixture.redis('EXISTS', key)).toBe(0);
  });

  it('reports an error of an operation as a tool error with its type and faults', async () => {
    const { isError, text } = await call(reader, 'stream-xrange', { key: 'k', start: 'x', end: '+' });

    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({
      ...{ type: 'STREAM:ARGUMENT', status: 400, retryable: false },
      errors: [{ pointer: '/start' }],
    });
  });

  it('reports an unknown tool', async () => {
    expect(await call(writer, 'stream-xfoo', {})).toEqual({ isError: true, text: 'There is no operation stream-xfoo' });
  });
});
