import { LambdaClient } from '@aws-sdk/client-lambda';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { registry } from '#functions/registry.ts';
import { createClient } from '#lib/client/client.ts';
import { httpTransport } from '#lib/client/http.ts';
import { lambdaTransport } from '#lib/client/lambda.ts';
import type { Transport } from '#lib/client/transport.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { readArguments, ScriptError } from './arguments.ts';
import { createToolServer } from './mcp/server.ts';
import { DEFAULT_PORTS } from '#sandbox/stack/names.ts';

/* npm run --silent mcp: offers the operations as tools of the Model Context Protocol, over stdin and stdout. */

const { values } = readArguments({
  command: 'npm run --silent mcp',
  about: 'Offers the operations as tools of the Model Context Protocol (MCP), over stdin and stdout.',
  options: {
    'allow-writes': { type: 'boolean', about: 'also offer operations that change something' },
    url: {
      type: 'string',
      default: `http://localhost:${DEFAULT_PORTS.http}`,
      value: '<url>',
      about: 'HTTP API to call',
    },
    token: { type: 'string', value: '<jwt>', about: 'bearer token for it; default: MCP_TOKEN' },
    'function-prefix': {
      type: 'string',
      value: '<prefix>',
      about: 'deployed functions to invoke instead, such as mdm-stream-prod-',
    },
  },
  examples: [
    'npm run --silent mcp                                                            # reads, on the local stack',
    'npm run --silent mcp -- --function-prefix mdm-stream-prod- --allow-writes',
    'claude mcp add mdm -- npm --prefix /path/to/this run --silent mcp',
  ],
});

/** Time in which the API may say what it has, in milliseconds: clients wait for the server to start. */
const DOCUMENT_MS = 5_000;
const token = values.token ?? process.env.MCP_TOKEN;
const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

const client = createClient(chooseTransport());
const server = createToolServer(await operations(), client, { allowWrites: values['allow-writes'] ?? false });
await server.connect(new StdioServerTransport());

function chooseTransport(): Transport {
  const functionPrefix = values['function-prefix'];
  if (functionPrefix !== undefined) {
    return lambdaTransport({ functionPrefix, lambda: new LambdaClient({ maxAttempts: 1 }) });
  }
  if (!/^https?:$/.test(URL.parse(values.url)?.protocol ?? '')) {
    throw new ScriptError(`--url takes an address such as https://api.example, not '${values.url}'`);
  }
  return httpTransport({ url: values.url, headers });
}

/** The operations that the API's document lists; all of them if the API is not up, or does not serve it. */
async function operations(): Promise<readonly Operation[]> {
  if (values['function-prefix'] !== undefined) return registry;
  try {
    const address = `${values.url.replace(/\/+$/, '')}/openapi.json`;
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(DOCUMENT_MS) });
    const { paths } = (await response.json()) as { paths: Record<string, unknown> };
    return registry.filter(({ route }) => Object.hasOwn(paths, route));
  } catch {
    return registry;
  }
}
