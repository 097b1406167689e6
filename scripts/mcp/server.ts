import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type CallToolResult,
  type Resource,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { TSchema } from 'typebox';
import type { Client, OperationName } from '#lib/client/client.ts';
import { OperationError } from '#lib/client/error.ts';
import type { Form } from '#lib/contract/alternatives.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { version } from '../generate/openapi/version.ts';
import { callerSchema, type Schema } from '../generate/caller-schema.ts';

export interface ToolServerOptions {
  /** Whether to offer operations that change something. */
  allowWrites: boolean;
}

/** What a model can read before its first call. */
const ENTITIES = {
  uri: 'mdm://business-entities',
  name: 'business-entities',
  title: 'Business entities of the tenant',
  description:
    'Internal id and display name of every business entity: what businessEntity takes in the mdm-… tools. ' +
    'mdm-record-schema has the fields of one.',
  mimeType: 'application/json',
} satisfies Resource;

/**
 * An MCP server whose tools are the operations: `stream-xadd` is the tool `stream-xadd`, its contract the tool's
 * schema.
 *
 * A failed operation is a tool error, whose text is the problem with its type. Without write access, writing operations
 * are refused in the same way. What the `access` of a configuration forbids, the operation refuses like any call.
 */
export function createToolServer(
  registry: readonly Operation[],
  client: Client,
  { allowWrites }: ToolServerOptions,
): Server {
  const server = new Server({ name: 'mdm-stream-functions', version }, { capabilities: { tools: {}, resources: {} } });
  const resources = registry.some(({ name }) => name === 'mdm-business-entities') ? [ENTITIES] : [];
  const offered = registry.filter(({ readOnly, deploy }) => deploy.http && (readOnly || allowWrites));

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered.map(toolOf) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }, { signal }) => {
    if (offered.some((operation) => operation.name === name)) return call(client, name as OperationName, input, signal);
    const exists = registry.some((operation) => operation.name === name);
    return failed(exists ? `${name} writes: start the server with --allow-writes` : `There is no operation ${name}`);
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => {
    if (uri !== ENTITIES.uri) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}`);
    const entities = await client.invoke('mdm-business-entities', {}, { signal }).catch((error: unknown) => {
      throw error instanceof OperationError
        ? new McpError(ErrorCode.InternalError, JSON.stringify(problemOf(error)))
        : error;
    });
    return { contents: [{ uri, mimeType: ENTITIES.mimeType, text: JSON.stringify(entities) }] };
  });
  return server;
}

/**
 * Models accept no `oneOf` at the top of a tool's schema, so the object is flat and its forms are described in words.
 */
function toolOf({ name, summary, description, input, readOnly, idempotent }: Operation): Tool {
  const { 'x-alternatives': choices = [], ...flat } = input as TSchema as Schema;
  return {
    name,
    title: summary,
    description: [`${summary}.`, description, ...choices.map(describeForms)].filter(Boolean).join(' '),
    inputSchema: callerSchema(flat) as Tool['inputSchema'],
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly,
      idempotentHint: idempotent === true, // one that depends on the parameters is none
      openWorldHint: false,
    },
  };
}

/** `Give either businessId, or sourceSystem with sourcePKey.` Empty if forms differ in more than their names. */
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
    return failed(JSON.stringify(problemOf(error)));
  }
}

function problemOf(error: OperationError): object {
  const { type, message: detail, status, retryable, outcome, retryAfterMs, requestId } = error;
  const { hint, upstreamStatus, upstreamCode, upstreamRequestId, faults } = error;
  const upstreamErrors = error.upstreamErrors.length > 0 ? error.upstreamErrors : undefined;
  const errors = faults.length > 0 ? faults : undefined;
  return {
    type,
    detail,
    hint,
    status,
    retryable,
    outcome,
    retryAfterMs,
    requestId,
    upstreamStatus,
    upstreamCode,
    upstreamErrors,
    upstreamRequestId,
    errors,
  };
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });
