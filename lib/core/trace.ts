import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { activeSpan, type RemoteSpan } from './span.ts';

/** Links a call to the calls before and after it. */
export interface Trace {
  /** Trace id of W3C Trace Context, 32 hexadecimal digits. */
  readonly traceId: string;
  /** The caller's span, if it is known. */
  readonly parentId?: string;
  /** Two hexadecimal digits; `01` for a recorded trace. */
  readonly flags: string;
  /** Additions of the systems that the trace passed (`tracestate`). */
  readonly state?: string;
  /** The caller's own id of the business transaction, or the request id. */
  readonly correlationId: string;
}

/** Possible sources of a trace; the first valid one counts. */
export interface TraceSources {
  readonly traceparent?: unknown;
  /** Used only with a valid `traceparent`. */
  readonly tracestate?: unknown;
  readonly correlationId?: unknown;
  /** Header of X-Ray: `Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1`. */
  readonly xray?: string;
  /** The correlation id if there is none. */
  readonly requestId: string;
}

/** Names of the fields that carry a trace in a stream entry. Targets do not see them. */
const TRACE_FIELDS = {
  traceparent: '_traceparent',
  tracestate: '_tracestate',
  correlationId: '_correlationId',
} as const;
const FIELD_NAMES: ReadonlySet<string> = new Set(Object.values(TRACE_FIELDS));
const CORRELATION_HEADER = 'x-correlation-id';

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** The flags that the format defines: recorded, and random trace id. Others are dropped. */
const KNOWN_FLAGS = 0b11;
const XRAY_ROOT = /Root=1-([0-9a-f]{8})-([0-9a-f]{24})/;
const XRAY_PARENT = /Parent=([0-9a-f]{16})/;
const CORRELATION_ID = /^[\w.:/+=@-]{1,128}$/;

/** A function and the files beside it each have a copy of this module, and share the current trace. */
const CURRENT = Symbol.for('mdm-stream-functions.current-trace');
const shared = globalThis as { [CURRENT]?: AsyncLocalStorage<() => Trace> };
const current = (shared[CURRENT] ??= new AsyncLocalStorage());
const currentTrace = () => current.getStore()?.();

/**
 * The trace of a call: continues the caller's, or begins one. Invalid parts are ignored, because a trace must not fail
 * a call.
 *
 * @example
 * traceFrom({ traceparent: headers.traceparent, correlationId: headers['x-correlation-id'], requestId });
 */
export function traceFrom({ traceparent, tracestate, correlationId, xray = '', requestId }: TraceSources): Trace {
  const parent = typeof traceparent === 'string' ? parentOf(traceparent) : undefined;
  const root = parent || xray === '' ? null : XRAY_ROOT.exec(xray);
  const isValid = typeof correlationId === 'string' && CORRELATION_ID.test(correlationId);
  return {
    traceId: parent?.traceId ?? (root ? `${root[1]}${root[2]}` : newTraceId()),
    parentId: parent?.spanId ?? (root ? XRAY_PARENT.exec(xray)?.[1] : undefined),
    flags: parent?.flags ?? '01',
    state: parent && typeof tracestate === 'string' ? validState(tracestate) : undefined,
    correlationId: isValid ? correlationId : requestId,
  };
}

function parentOf(traceparent: string): RemoteSpan | undefined {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  // later versions may have more
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId: traceId!, spanId: spanId!, flags: `0${parseInt(flags!, 16) & KNOWN_FLAGS}` };
}

const MAX_STATE_MEMBERS = 32;
const MAX_STATE_LENGTH = 512;
/** Longer members are dropped first. */
const LONG_MEMBER = 128;
const STATE_MEMBER =
  /^(?:[a-z0-9][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** A `tracestate` shortened by the rules of W3C Trace Context; undefined for an invalid one. */
function validState(tracestate: string): string | undefined {
  const members = tracestate.split(',').map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''));
  const kept = members.filter((member) => member !== '');
  const keys = new Set(kept.map((member) => member.slice(0, member.indexOf('='))));
  const isValid = kept.every((member) => STATE_MEMBER.test(member)) && keys.size === kept.length;
  if (!isValid || kept.length > MAX_STATE_MEMBERS) return undefined;
  const isLong = () => kept.join(',').length > MAX_STATE_LENGTH;
  while (isLong()) {
    const longest = kept.findLastIndex((member) => member.length > LONG_MEMBER);
    kept.splice(longest, 1); // the last one if none is long
  }
  return kept.length === 0 ? undefined : kept.join(',');
}

/* Node caches randomness for UUIDs, so a UUID costs a tenth of as many random bytes. */
const newTraceId = () => randomUUID().replaceAll('-', '');
/** Takes the digits that are random in every UUID. */
const newSpanId = () => {
  const id = randomUUID();
  return id.slice(0, 8) + id.slice(-8);
};

/**
 * Runs the work of a call within a trace: its log lines, its requests and the entries that it writes carry the trace.
 * The trace is made on first use, because most calls need none and its ids cost more than the rest of the wrapper.
 */
export function withTrace<T>(makeTrace: () => Trace, work: () => Promise<T>): Promise<T> {
  return current.run(once(makeTrace), work);
}

function once(makeTrace: () => Trace): () => Trace {
  let trace: Trace | undefined;
  return () => (trace ??= makeTrace());
}

/**
 * The same with the trace of a stream entry. An entry without one uses the trace of the run.
 *
 * @param field reads a field of the entry
 */
export function withTraceOfEntry<T>(field: (name: string) => string | undefined, work: () => T): T {
  const traceparent = field(TRACE_FIELDS.traceparent);
  if (traceparent === undefined) return work();
  const requestId = currentTrace()?.correlationId ?? '';
  const tracestate = field(TRACE_FIELDS.tracestate);
  const correlationId = field(TRACE_FIELDS.correlationId);
  return current.run(
    once(() => traceFrom({ traceparent, tracestate, correlationId, requestId })),
    work,
  );
}

/** The span that wrote an entry; undefined for an entry without a trace. */
export function writerOf(field: (name: string) => string | undefined): RemoteSpan | undefined {
  const span = parentOf(field(TRACE_FIELDS.traceparent) ?? '');
  if (!span) return undefined;
  const state = field(TRACE_FIELDS.tracestate);
  return { ...span, state: state === undefined ? undefined : validState(state) };
}

/** The caller's span, if the current trace came with one. */
export function callerSpan(): RemoteSpan | undefined {
  const { traceId, parentId, flags, state } = currentTrace() ?? {};
  return traceId && parentId && flags ? { traceId, spanId: parentId, flags, state } : undefined;
}

interface Link {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/**
 * Continues the trace elsewhere: from the active span, or without an SDK with a span id of its own for each request,
 * invocation or entry.
 */
function linkOf(trace: Trace): Link {
  const { traceId, spanId, flags, state } = activeSpan() ?? { ...trace, spanId: newSpanId() };
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state !== undefined && { tracestate: state }) };
}

/** The current trace as details of a log line; empty outside of a call. */
export function traceDetails(): { traceId: string; correlationId: string } | undefined {
  const trace = currentTrace();
  return trace && { traceId: activeSpan()?.traceId ?? trace.traceId, correlationId: trace.correlationId };
}

/** The current trace as headers of an HTTP request. */
export function traceHeaders(): Record<string, string> {
  const trace = currentTrace();
  return trace ? { ...linkOf(trace), [CORRELATION_HEADER]: trace.correlationId } : {};
}

/** The current trace for the `ClientContext` of another Lambda. */
export function traceClientContext(): string | undefined {
  const trace = currentTrace();
  if (!trace) return undefined;
  const custom = { ...linkOf(trace), correlationId: trace.correlationId };
  return Buffer.from(JSON.stringify({ custom })).toString('base64');
}

/** The current trace as fields of a stream entry. */
export function traceFields(): Record<string, string> {
  const trace = currentTrace();
  if (!trace) return {};
  const link = { ...linkOf(trace), correlationId: trace.correlationId };
  return Object.fromEntries(
    Object.entries(link).map(([name, value]) => [TRACE_FIELDS[name as keyof typeof TRACE_FIELDS], value]),
  );
}

/** Whether a field of an entry belongs to its trace instead of its data. */
export const isTraceField = (name: string) => FIELD_NAMES.has(name);
