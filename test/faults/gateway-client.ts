import { createClient, type Client } from '#lib/client/client.ts';
import { httpTransport, type HttpRequest } from '#lib/client/http.ts';
import type { Lambda } from '#sandbox/aws/lambda.ts';
import type { Random } from '#test/support/random.ts';

/** How many calls the way to the functions fails, in any of these ways: before a function is called, or after that. */
const FLAKY = 0.1;
const FAILINGS = ['refuses', 'throttles', 'loses', 'gives up'] as const;
const RETRIES = 3;

/**
 * A client of the functions in a container, behind an HTTP API that throttles calls and gives calls up, and a network
 * that refuses connections and loses responses.
 */
export function gatewayClient(lambda: Lambda, random: Random, timeoutMs: number): Client {
  const fetch = async (url: string, { body }: HttpRequest): Promise<Response> => {
    const failing = random.happens(FLAKY) ? random.pick(FAILINGS) : undefined;
    if (failing === 'refuses') throw fetchFailed('ECONNREFUSED');
    if (failing === 'throttles') return respond(429, '{"message":"Too Many Requests"}');
    const { status, text } = await lambda.post(new URL(url).pathname, JSON.parse(body), { timeoutMs });
    if (failing === 'loses') throw fetchFailed('ECONNRESET');
    if (failing === 'gives up') return respond(503, '{"message":"Service Unavailable"}');
    return respond(status, text);
  };
  return createClient(httpTransport({ url: 'http://gateway', fetch }), { retries: RETRIES });
}

const respond = (status: number, text: string) => new Response(status === 204 ? null : text, { status });

/** The error of `fetch`. */
const fetchFailed = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
