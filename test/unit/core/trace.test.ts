import { describe, expect, it } from '@jest/globals';
import { createLog, embedMetrics } from '#lib/core/log.ts';
import {
  isTraceField,
  traceDetails,
  traceFields,
  traceFrom,
  traceHeaders,
  withTrace,
  withTraceOfEntry,
} from '#lib/core/trace.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-00`;
const given = { traceparent, correlationId: 'order-17', requestId: 'r' };

describe('the trace of a call', () => {
  it("a call continues the caller's trace in a new span", async () => {
    const headers = await withTrace(
      () => traceFrom(given),
      async () => traceHeaders(),
    );

    expect(headers).toEqual({
      traceparent: expect.stringMatching(`^00-${TRACE_ID}-(?!00f067aa0ba902b7)[0-9a-f]{16}-00$`),
      'x-correlation-id': 'order-17',
    });
  });

  it('a call takes the trace of X-Ray if the caller sends none', () => {
    const xray = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';

    expect(traceFrom({ xray, requestId: 'r' })).toMatchObject({
      traceId: '5759e988bd862e3fe1be46a994272793',
      correlationId: 'r',
    });
  });

  it.each([
    'nonsense',
    `ff-${TRACE_ID}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `00-${TRACE_ID}-00f067aa0ba902b7-01.`,
    `00-${TRACE_ID}-00f067aa0ba902b7-001`,
    `00-${TRACE_ID}-00f067aa0ba902b7-01-what`,
    `00-${TRACE_ID}-00f067aa0ba902b7-01-`,
    `cc-${TRACE_ID}-00f067aa0ba902b7-01.what`,
    `cc-${TRACE_ID}-00f067aa0ba902b7-011`,
    `00-${TRACE_ID}-00f067aa0ba902b7-01\n`,
    17,
    undefined,
  ])('a call starts a new trace if the caller sends %s', (traceparent) => {
    const { traceId } = traceFrom({ traceparent, requestId: 'r' });

    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(traceId).not.toBe(TRACE_ID);
  });

  it.each([
    [`cc-${TRACE_ID}-00f067aa0ba902b7-01-what.the-future:will-be`, '01'],
    [`cc-${TRACE_ID}-00f067aa0ba902b7-01`, '01'],
    [`00-${TRACE_ID}-00f067aa0ba902b7-ff`, '03'],
  ])('a call continues the trace of %s, with the flags it knows', (traceparent, flags) => {
    expect(traceFrom({ traceparent, requestId: 'r' })).toMatchObject({ traceId: TRACE_ID, flags });
  });

  const member = (at: number, length: number) => `k${at}=${'v'.repeat(length - `k${at}=`.length)}`;
  it.each([
    ['rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    [' a=1 ,\t, b@c=2,', 'a=1,b@c=2'],
    [Array.from({ length: 32 }, (_, at) => `k${at}=v`).join(','), expect.stringMatching(/^(k\d+=v,){31}k31=v$/)],
    [Array.from({ length: 33 }, (_, at) => `k${at}=v`).join(','), undefined],
    [
      [member(0, 200), member(1, 128), member(2, 128), member(3, 128), member(4, 100)].join(','),
      [1, 2, 3, 4].map((at) => member(at, at === 4 ? 100 : 128)).join(','),
    ],
    [
      Array.from({ length: 5 }, (_, at) => member(at, 120)).join(','),
      Array.from({ length: 4 }, (_, at) => member(at, 120)).join(','),
    ],
    ['a=1,a=2', undefined],
    ['A=1', undefined],
    ['a=b=c', undefined],
    ['a', undefined],
    ['a=ü', undefined],
    ['', undefined],
    [5, undefined],
  ])('a call passes on the tracestate %j as the format allows', (tracestate, state) => {
    expect(traceFrom({ traceparent, tracestate, requestId: 'r' }).state).toEqual(state);
    expect(traceFrom({ traceparent: 'nonsense', tracestate, requestId: 'r' }).state).toBeUndefined();
  });

  it('a call carries its tracestate in headers and entries', async () => {
    const [headers, fields] = await withTrace(
      () => traceFrom({ ...given, tracestate: 'congo=t61rcWkgMzE' }),
      async () => [traceHeaders(), traceFields()] as const,
    );

    expect(headers).toMatchObject({ tracestate: 'congo=t61rcWkgMzE' });
    expect(Object.keys(fields).every(isTraceField)).toBe(true);
    await withTraceOfEntry(
      (name) => fields[name],
      async () => expect(traceHeaders()).toMatchObject({ tracestate: 'congo=t61rcWkgMzE' }),
    );
  });

  it.each(['', 'a b', 'x\r\ny: z', 'x'.repeat(129), 5])(
    'a call uses its request id instead of the correlation id %j',
    (correlationId) => {
      expect(traceFrom({ correlationId, requestId: 'r' }).correlationId).toBe('r');
    },
  );

  it('each log line of a call has its trace, and no line outside of a call has one', async () => {
    const lines: string[] = [];
    const log = createLog('info', {}, (line) => lines.push(line));

    await withTrace(
      () => traceFrom(given),
      async () => log.info('inside'),
    );
    log.info('outside');

    expect(JSON.parse(lines[0]!)).toMatchObject({ traceId: TRACE_ID, correlationId: 'order-17' });
    expect(JSON.parse(lines[1]!)).not.toHaveProperty('traceId');
  });

  it('a trace travels through an entry, across a wait', async () => {
    const fields = await withTrace(
      () => traceFrom(given),
      async () => traceFields(),
    );

    await withTraceOfEntry(
      (name) => fields[name],
      async () => {
        await Promise.resolve();
        expect(traceDetails()).toEqual({ traceId: TRACE_ID, correlationId: 'order-17' });
      },
    );
    expect(traceDetails()).toBeUndefined();
  });

  it('overlapping calls each keep their own trace', async () => {
    const gates = new Map<string, PromiseWithResolvers<void>>();
    const seen: [string, string?][] = [];
    const call = (name: string) =>
      withTrace(
        () => traceFrom({ requestId: name }),
        async () => {
          seen.push([name, traceDetails()?.correlationId]);
          gates.set(name, Promise.withResolvers());
          await gates.get(name)!.promise;
          seen.push([name, traceDetails()?.correlationId]);
          if (name === 'third') throw new Error(name);
        },
      );
    const calls: Record<string, Promise<void>> = {};
    const end = async (name: string) => {
      gates.get(name)!.resolve();
      await calls[name]!.catch(() => {});
    };

    for (const name of ['first', 'second']) calls[name] = call(name);
    await end('first');
    for (const name of ['third', 'fourth']) calls[name] = call(name);
    await end('second');
    await end('third');
    calls.fifth = call('fifth');
    await end('fourth');
    await end('fifth');

    expect(seen).toHaveLength(10);
    expect(seen.filter(([name, correlationId]) => name !== correlationId)).toEqual([]);
    expect(traceDetails()).toBeUndefined();
  });
});

it('metrics are logged at every level', () => {
  const lines: string[] = [];
  const log = createLog('error', {}, (line) => lines.push(line));

  const metrics = embedMetrics({ namespace: 'N', dimensions: [['of']], units: { read: 'Count' } });
  log.always('run', { of: 'x', read: 3, ...metrics });

  expect(JSON.parse(lines[0]!)).toMatchObject({
    read: 3,
    _aws: {
      CloudWatchMetrics: [{ Namespace: 'N', Dimensions: [['of']], Metrics: [{ Name: 'read', Unit: 'Count' }] }],
    },
  });
});
