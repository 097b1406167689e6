import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { TSchema } from 'typebox';
import type { Client, OperationName } from '../../lib/client/client.ts';
import { OperationError } from '../../lib/client/error.ts';
import type { Form } from '../../lib/contract/alternatives.ts';
import type { Operation } from '../../lib/contract/operation.ts';
import { version } from '../generate/openapi/version.ts';
import { callerSchema, type Schema } from '../generate/caller-schema.ts';

export interface ToolServerOptions {
  /** Whether operations are offered that change something. */
  allowWrites: boolean;
}

/**
 * An MCP server whose tools are the operations: `stream-xadd` is the tool `stream-xadd`, its contract the tool's schema.
 *
 * An operation that fails is a tool error, whose text is the problem with its type. One that writes is refused the same
 * way where writes are not allowed.
 */
export function createToolServer(
  registry: readonly Operation[],
  client: Client,
  { allowWrites }: ToolServerOptions,
): Server {
  const server = new Server({ name: 'mdm-stream-functions', version }, { capabilities: { tools: {} } });
  const offered = registry.filter(({ readOnly, deploy }) => deploy.http && (readOnly || allowWrites));

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered.map(toolOf) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }, { signal }) => {
    if (offered.some((operation) => operation.name === name)) return call(client, name as OperationName, input, signal);
    const exists = registry.some((operation) => operation.name === name);
    return failed(exists ? `${name} writes: start the server with --allow-writes` : `There is no operation ${name}`);
  });
  return server;
}

/** Models take no `oneOf` at the top of a tool's schema: the object is flat, and its forms are described in words. */
function toolOf({ name, summary, description, input, readOnly = false }: Operation): Tool {
  const { 'x-alternatives': choices = [], ...flat } = input as TSchema as Schema;
  return {
    name,
    title: summary,
    description: [`${summary}.`, description, ...choices.map(describeForms)].filter(Boolean).join(' '),
    inputSchema: callerSchema(flat) as Tool['inputSchema'],
    annotations: { readOnlyHint: readOnly, destructiveHint: !readOnly, openWorldHint: false },
  };
}

/** `Give either businessId, or sourceSystem with sourcePKey.` Empty where forms differ in more than their names. */
function describeForms(forms: readonly Form[]): string {
  const groups = forms.map(({ required = [] }) => required.join(' with '));
  const isByNames = groups.every(Boolean) && forms.every(({ narrowed, optional }) => !narrowed && !optional);
  return isByNames ? `Give either ${groups.join(', or ')}.` : '';
}

async function call(client: Client, name: OperationName, input: object, signal: AbortSignal): Promise<CallToolResult> {
  try {
    const output = await client.invoke(name, input, { signal });
    return { content: [{ type: 'text', text: JSON.stringify(output) }] };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const {
      type,
      message: detail,
      status,
      retryable,
      retryAfterMs,
      requestId,
      upstreamStatus,
      upstreamCode,
      faults,
    } = error;
    const problem = { type, detail, status, retryable, retryAfterMs, requestId, upstreamStatus, upstreamCode };
    return failed(JSON.stringify({ ...problem, ...(faults.length > 0 && { errors: faults }) }));
  }
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });
