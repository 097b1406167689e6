import { STATUS_CODES } from 'node:http';
import { parseExact } from '#lib/core/json.ts';

/** A response over HTTP. */
export interface RouteResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A call and its explanation. */
export type Step = readonly [operation: string, says: string, parameters: object];

/** Calls `POST <route>`. */
export type Post = (route: string, body: object) => Promise<RouteResponse>;

/** First line of a page made from real responses. */
export const BANNER = '<!-- Made by npm run document from real responses. Do not edit. -->';

/**
 * A call and its response over HTTP.
 *
 * @param steady replaces values that differ from run to run
 */
export function showCall(
  route: string,
  parameters: object,
  response: RouteResponse,
  steady: (text: string) => string,
): string {
  const { status, headers, text } = response;
  const request = `POST ${route}\n\n${JSON.stringify(parameters, null, 2)}`;
  const contentType = headers['content-type'] === undefined ? [] : [`content-type: ${headers['content-type']}`];
  const body = text ? ['', spread(steady(text.replace(/"requestId":"[0-9a-f-]{36}"/, '"requestId":"8f3c…"')))] : [];
  const shown = [`${status} ${STATUS_CODES[status]}`, ...contentType, ...body].join('\n');
  return `\`\`\`http\n${request}\n\`\`\`\n\n\`\`\`http\n${shown}\n\`\`\``;
}

/** JSON with line breaks, and numbers as they came. */
const spread = (text: string) => (/^[[{]/.test(text) ? JSON.stringify(parseExact(text), null, 2) : text);
