import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** What links a call to those that led to it, and to those that follow from it. */
export interface Trace {
  /** Trace of the W3C's Trace Context, 32 hexadecimal digits. */
  readonly traceId: string;
  /** This call within the trace, 16 hexadecimal digits. */
  readonly spanId: string;
  /** Two hexadecimal digits; `01` for a trace that is recorded. */
  readonly flags: string;
  /** What the systems that the trace came through add to it (`tracestate`). */
  readonly state?: string;
  /** The caller's own id of the business transaction, else the request id. */
  readonly correlationId: string;
}

/** Where a trace may come from, the first that is there and valid. */
export interface TraceSources {
  readonly traceparent?: unknown;
  /** Counts with a valid `traceparent` only. */
  readonly tracestate?: unknown;
  readonly correlationId?: unknown;
  /** Header of X-Ray: `Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1`. */
  readonly xray?: string;
  /** Stands in for a missing correlation id. */
  readonly requestId: string;
}

/** Names of the fields that carry a trace in a stream entry; targets do not see them. */
const TRACE_FIELDS = {
  traceparent: '_traceparent',
  tracestate: '_tracestate',
  correlationId: '_correlationId',
} as const;
const FIELD_NAMES: ReadonlySet<string> = new Set(Object.values(TRACE_FIELDS));
const CORRELATION_HEADER = 'x-correlation-id';

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;
/** Flags that the format defines: recorded, and a random trace id. Others are not handed on. */
const KNOWN_FLAGS = 0b11;
const XRAY_ROOT = /Root=1-([0-9a-f]{8})-([0-9a-f]{24})/;
const CORRELATION_ID = /^[\w.:/+=@-]{1,128}$/;

/** Where the current trace is found. */
interface Current {
  readonly storage: AsyncLocalStorage<() => Trace>;
  /** Of a call that no other was under way with when it began: on Lambda, of all. It is spared the storage's costs. */
  only: (() => Trace) | undefined;
}

/** A function and the files beside it hold a copy of this module each, and share one. */
const CURRENT = Symbol.for('mdm-stream-functions.current-trace');
const shared = globalThis as { [CURRENT]?: Current };
const current = (shared[CURRENT] ??= { storage: new AsyncLocalStorage<() => Trace>(), only: undefined });
const currentTrace = () => (current.storage.getStore() ?? current.only)?.();

/**
 * The trace of a call: goes on with the caller's, or begins one. What is not valid is left out, never refused: a trace
 * must not keep a call from its work.
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
    spanId: newSpanId(),
    flags: parent?.flags ?? '01',
    state: parent && typeof tracestate === 'string' ? validState(tracestate) : undefined,
    correlationId: isValid ? correlationId : requestId,
  };
}

function parentOf(traceparent: string): { traceId: string; flags: string } | undefined {
  const [, version, traceId, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined; // later versions may have more
  return { traceId: traceId!, flags: `0${parseInt(flags!, 16) & KNOWN_FLAGS}` };
}

const MAX_STATE_MEMBERS = 32;
const MAX_STATE_LENGTH = 512;
/** Members beyond this length are the first to go. */
const LONG_MEMBER = 128;
const STATE_MEMBER =
  /^(?:[a-z0-9][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** A `tracestate` as the W3C's Trace Context has it, shortened as it says; undefined for one that is not valid. */
function validState(tracestate: string): string | undefined {
  const members = tracestate.split(',').map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''));
  const given = members.filter((member) => member !== '');
  const keys = new Set(given.map((member) => member.slice(0, member.indexOf('='))));
  const isValid = given.every((member) => STATE_MEMBER.test(member)) && keys.size === given.length;
  if (!isValid || given.length > MAX_STATE_MEMBERS) return undefined;
  const isLong = () => given.join(',').length > MAX_STATE_LENGTH;
  while (isLong()) {
    const longest = given.findLastIndex((member) => member.length > LONG_MEMBER);
    given.splice(longest, 1); // without a long one the last
  }
  return given.length === 0 ? undefined : given.join(',');
}

/* Node keeps randomness for UUIDs in store, so one costs a tenth of what its bytes would. */
const newTraceId = () => randomUUID().replaceAll('-', '');
/** Of the digits that are random in every UUID. */
const newSpanId = () => {
  const id = randomUUID();
  return id.slice(0, 8) + id.slice(-8);
};

/**
 * Does the work of a call within a trace: its log lines, its requests and the entries that it writes carry it. The trace is
 * made when the first of them asks for it: most calls need none, and its ids cost more than the rest of the wrapper.
 */
export function withTrace<T>(makeTrace: () => Trace, work: () => Promise<T>): Promise<T> {
  const trace = once(makeTrace);
  if (current.only || current.storage.getStore()) return current.storage.run(trace, work);
  current.only = trace;
  const result = work();
  result.then(leave, leave);
  return result;
}

const leave = () => {
  current.only = undefined;
};

function once(makeTrace: () => Trace): () => Trace {
  let trace: Trace | undefined;
  return () => (trace ??= makeTrace());
}

/**
 * The same with the trace that a stream entry carries; an entry without one is worked on in the trace of the run.
 *
 * @param field reads a field of the entry
 */
export function withTraceOfEntry<T>(field: (name: string) => string | undefined, work: () => T): T {
  const traceparent = field(TRACE_FIELDS.traceparent);
  if (traceparent === undefined) return work();
  const requestId = currentTrace()?.correlationId ?? '';
  const tracestate = field(TRACE_FIELDS.tracestate);
  const correlationId = field(TRACE_FIELDS.correlationId);
  return current.storage.run(
    once(() => traceFrom({ traceparent, tracestate, correlationId, requestId })),
    work,
  );
}

interface Link {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** What goes on with a trace elsewhere. */
const linkOf = ({ traceId, spanId, flags, state }: Trace): Link => ({
  traceparent: `00-${traceId}-${spanId}-${flags}`,
  ...(state !== undefined && { tracestate: state }),
});

/** Details of the current trace for a log line; none outside of a call. */
export function traceDetails(): { traceId: string; correlationId: string } | undefined {
  const trace = currentTrace();
  return trace && { traceId: trace.traceId, correlationId: trace.correlationId };
}

/** Headers that carry the current trace to an HTTP API. */
export function traceHeaders(): Record<string, string> {
  const trace = currentTrace();
  return trace ? { ...linkOf(trace), [CORRELATION_HEADER]: trace.correlationId } : {};
}

/** What carries the current trace to another Lambda, for its `ClientContext`. */
export function traceClientContext(): string | undefined {
  const trace = currentTrace();
  if (!trace) return undefined;
  const custom = { ...linkOf(trace), correlationId: trace.correlationId };
  return Buffer.from(JSON.stringify({ custom })).toString('base64');
}

/** Fields that carry the current trace in a stream entry. */
export function traceFields(): Record<string, string> {
  const trace = currentTrace();
  if (!trace) return {};
  const link = { ...linkOf(trace), correlationId: trace.correlationId };
  return Object.fromEntries(
    Object.entries(link).map(([name, value]) => [TRACE_FIELDS[name as keyof typeof TRACE_FIELDS], value]),
  );
}

/** Whether a field of an entry carries its trace, and is no data. */
export const isTraceField = (name: string) => FIELD_NAMES.has(name);
