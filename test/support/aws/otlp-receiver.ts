import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '#sandbox/network/listen.ts';

/** A span as it arrived. */
export interface ReceivedSpan {
  /** Name of the instrumentation that made it. */
  readonly scope: string;
  readonly name: string;
  /** 2 SERVER, 3 CLIENT, 5 CONSUMER. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { traceId: string; spanId: string }[];
  /** 2: failed. */
  readonly status: { code: number };
}

export interface OtlpReceiver {
  readonly url: string;
  /** Takes the spans that arrived so far. */
  take(): ReceivedSpan[];
  close(): Promise<void>;
}

type Attribute = { key: string; value: Record<string, unknown> };
type Sent = Omit<ReceivedSpan, 'attributes' | 'links' | 'scope'> & {
  attributes: Attribute[];
  links?: ReceivedSpan['links'];
};
interface Request {
  resourceSpans: { scopeSpans: { scope: { name: string }; spans: Sent[] }[] }[];
}

/** A receiver of traces over OTLP/HTTP with JSON. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  let received: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const serve = async () => {
      const { resourceSpans } = (await json(request)) as Request;
      for (const { scope, spans } of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)) {
        received.push(...spans.map((span) => readSpan(scope.name, span)));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    };
    serve().catch(() => response.destroy());
  });
  return {
    ...(await listen(server)),
    take() {
      const taken = received;
      received = [];
      return taken;
    },
  };
}

const readSpan = (scope: string, { attributes, links = [], ...span }: Sent): ReceivedSpan => ({
  ...span,
  scope,
  links: links.map(({ traceId, spanId }) => ({ traceId, spanId })),
  attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
});
