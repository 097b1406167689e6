import {
  context,
  createTraceState,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span as ApiSpan,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';

/*
 * Spans, by the API of OpenTelemetry alone. Without an SDK, which a Lambda layer registers, there are none, and work
 * runs as if this file were not there. A span has no key, value, URL, session or message: only what the attributes say.
 */

/** A span elsewhere: the caller's, or the one that wrote an entry. */
export interface RemoteSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Two hexadecimal digits. */
  readonly flags: string;
  readonly state?: string;
}

export interface SpanOptions {
  /** Few values, and no key: it groups spans. */
  readonly name: string;
  readonly kind: keyof typeof SpanKind;
  readonly attributes: Attributes;
  /** The span that caused this one. If another is active, such as a layer's, that is the parent, and this a link. */
  readonly parent?: RemoteSpan;
  /** Whether an error of the work is part of its course, and no failure. */
  readonly isExpected?: (error: unknown) => boolean;
  /** Further spans that caused it. */
  readonly links?: readonly RemoteSpan[];
}

/** A span in the making. */
export interface Span {
  set(attributes: Attributes): void;
  /** Marks it as failed, if its work does not throw. */
  fail(errorType: string): void;
}

const SCOPE = 'mdm-stream-functions';
let tracer: Tracer | undefined;

/** The SDK's tracer, once there is an SDK. The API's own tracer would make spans that end nowhere. */
function findTracer(): Tracer | undefined {
  if (tracer) return tracer;
  const provider = trace.getTracerProvider();
  tracer = provider instanceof ProxyTracerProvider ? provider.getDelegateTracer(SCOPE) : provider.getTracer(SCOPE);
  return tracer;
}

/** Runs work in a span, which ends with it and fails with its error. `describe` is called only if there is an SDK. */
export function withSpan<T>(describe: () => SpanOptions, work: (span?: Span) => Promise<T>): Promise<T> {
  const found = findTracer();
  return found ? inSpan(found, describe(), work) : work();
}

async function inSpan<T>(found: Tracer, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const { name, kind, attributes, parent, links = [], isExpected } = options;
  const active = context.active();
  const outer = activeSpan();
  const isParent = parent !== undefined && outer === undefined;
  const isCut = parent !== undefined && outer !== undefined && outer.traceId !== parent.traceId;
  const linked = [...links, ...(isCut ? [parent] : [])].map((one) => ({ context: contextOf(one) }));
  const around = isParent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : active;
  const span = found.startSpan(name, { kind: SpanKind[kind], attributes, links: linked }, around);
  try {
    return await context.with(trace.setSpan(active, span), () => work(handleOf(span)));
  } catch (error) {
    if (!isExpected?.(error)) handleOf(span).fail((error as { type?: string }).type ?? (error as Error).name);
    throw error;
  } finally {
    span.end();
  }
}

/** The span that this process is in; undefined without an SDK. */
export function currentSpan(): Span | undefined {
  const span = findTracer() && trace.getActiveSpan();
  return span && handleOf(span);
}

const handleOf = (span: ApiSpan): Span => ({
  set: (attributes) => void span.setAttributes(attributes),
  fail: (errorType) => void span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR }),
});

function contextOf({ traceId, spanId, flags, state }: RemoteSpan): SpanContext {
  const traceState = state === undefined ? undefined : createTraceState(state);
  return { traceId, spanId, traceFlags: parseInt(flags, 16), traceState, isRemote: true };
}

/** The span that is active, for those that continue it; undefined without an SDK. */
export function activeSpan(): RemoteSpan | undefined {
  if (!findTracer()) return undefined;
  const { traceId, spanId, traceFlags, traceState } = trace.getSpanContext(context.active()) ?? NONE;
  if (!isSpanContextValid({ traceId, spanId, traceFlags })) return undefined;
  return { traceId, spanId, flags: traceFlags.toString(16).padStart(2, '0'), state: traceState?.serialize() };
}

const NONE: SpanContext = { traceId: '', spanId: '', traceFlags: 0 };
