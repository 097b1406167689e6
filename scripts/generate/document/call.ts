import { STATUS_CODES } from 'node:http';

/** What came back over HTTP. */
export interface RouteResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Calls `POST <route>`. */
export type Post = (route: string, body: object) => Promise<RouteResponse>;

/** First line of what was made from real responses. */
export const BANNER = '<!-- Made by npm run document from real responses. Do not edit. -->';

/**
 * A call and its response, as they went over HTTP.
 *
 * @param steady puts one value in place of what differs from run to run
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

const spread = (text: string) => (/^[[{]/.test(text) ? JSON.stringify(JSON.parse(text), null, 2) : text);
