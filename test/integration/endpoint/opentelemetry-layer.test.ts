import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleFunction, bundleTogether } from '#scripts/build/bundle.ts';
import { functions } from '#scripts/build/functions.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { startOtlpReceiver, type ReceivedSpan } from '../../support/aws/otlp-receiver.ts';
import { use } from '../../support/jest/use.ts';
import { runtimesOf } from '../../support/stack/runtimes.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';

/*
 * The packaged functions with an OpenTelemetry layer: SDK, exporter and instrumentation are the published ones, and a
 * receiver takes what they export.
 */

const NAMES = ['stream-xlen', 'stream-consumer', 'mdm-source-enqueue', 'mdm-source-list', 'api-openapi'];
const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;
const FAILED = 2;
/** Name of our own spans' instrumentation. */
const OURS = 'mdm-stream-functions';

const layer = (extension: string) =>
  fileURLToPath(new URL(`../../support/aws/opentelemetry-layer.${extension}`, import.meta.url));
/**
 * How a layer reaches the handler: by a hook on imports, or by requiring the function before the runtime imports it.
 */
const LAYERS: Record<string, (name: string) => string[]> = {
  'hooks imports': () => ['--import', layer('mjs')],
  'requires the function first': (name) => ['--require', layer('cjs'), '--require', `./dist/${name}/index.cjs`],
};

const taskRoot = await mkdtemp(join(tmpdir(), 'layered-'));
afterAll(() => rm(taskRoot, { recursive: true }));
for (const { name, handler } of functions) {
  if (NAMES.includes(name)) await bundleFunction(handler, join(taskRoot, 'dist', name));
}
/** Bundles as the local stack has them: functions that share modules. */
const localRoot = join(taskRoot, 'local');
const together = functions.filter(({ name }) => NAMES.includes(name));
await bundleTogether(new Map(together.map(({ name, handler }) => [name, handler])), join(localRoot, 'dist'));

const mdm = await use(startSandboxMdm());
const receiver = await use(startOtlpReceiver());
const fixture = await use(
  startFixture({
    secrets: (url) => ({
      default: { redis: { url }, mdm: mdm.secret, ingest: { stream: 'spans-of-entries', shards: 1, group: 'mdm' } },
    }),
  }),
);
beforeEach(() => void receiver.take());

async function invoke(name: string, payload: object, layered = LAYERS['hooks imports'], root = taskRoot) {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  const runtimes = runtimesOf(fixture, () => root, env, layered);
  try {
    const runtime = await runtimes.start(name);
    const { payload: text, functionError } = await runtime.invoke(JSON.stringify(payload), { timeoutMs: 60_000 });
    const spans = receiver.take();
    const ours = spans.filter(({ scope }) => scope === OURS);
    const ofLayer = spans.filter(({ scope }) => scope !== OURS);
    return { functionError, output: JSON.parse(text) as unknown, ours, ofLayer, log: runtime.log };
  } finally {
    await runtimes.stop();
  }
}

/** The only span of this name. */
function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.filter((span) => span.name === name);
  expect(found).toHaveLength(1);
  return found[0]!;
}

describe.each(Object.entries(LAYERS))('a function with an OpenTelemetry layer that %s', (_, layered) => {
  it('a function with a layer returns its output, and the layer records a span of the invocation', async () => {
    const { functionError, output, ofLayer, ours } = await invoke('stream-xlen', { key: fixture.key() }, layered);

    expect([functionError, output]).toEqual([undefined, 0]);
    expect(ofLayer).toMatchObject([{ name: 'mdm-stream-dev-stream-xlen', status: { code: 0 } }]);
    expect(named(ours, 'stream-xlen')).toMatchObject({
      kind: SERVER,
      traceId: ofLayer[0]!.traceId,
      parentSpanId: ofLayer[0]!.spanId,
    });
  });

  it('a local bundle with a layer returns its output and has its span too', async () => {
    const key = fixture.key();

    const { functionError, output, ofLayer, ours } = await invoke('stream-xlen', { key }, layered, localRoot);

    expect([functionError, output]).toEqual([undefined, 0]);
    expect(ofLayer).toMatchObject([{ name: 'mdm-stream-dev-stream-xlen', status: { code: 0 } }]);
    expect(named(ours, 'stream-xlen')).toMatchObject({ kind: SERVER, parentSpanId: ofLayer[0]!.spanId });
  });

  it('a function with a layer fails with its own error type, and both spans are marked as failed', async () => {
    const { functionError, output, ofLayer, ours } = await invoke('stream-xlen', {}, layered);

    expect([functionError, output]).toMatchObject(['Unhandled', { errorType: 'STREAM:ARGUMENT' }]);
    expect(ofLayer).toMatchObject([{ name: 'mdm-stream-dev-stream-xlen', status: { code: FAILED } }]);
    expect(ours).toMatchObject([{ status: { code: FAILED }, attributes: { 'error.type': 'STREAM:ARGUMENT' } }]);
  });

  it('a function with a layer answers HTTP calls', async () => {
    expect(await invoke('api-openapi', httpEvent('GET', '/openapi.json'), layered)).toMatchObject({
      output: { statusCode: 200 },
      ofLayer: [{ name: 'mdm-stream-dev-api-openapi' }],
    });
  });
});

const RECORD = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: 'key-of-the-record' };
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

function call(route: string, body: object): object {
  const headers = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` };
  return httpEvent('POST', route, JSON.stringify(body), headers);
}

describe('the spans of a function', () => {
  it("a function's spans are its operation and its Redis commands, below the caller's span", async () => {
    const key = fixture.key();
    await fixture.redis('XADD', key, '*', 'a', '1');

    const { ours, ofLayer } = await invoke('stream-xlen', call('/stream/xlen', { key }));

    const operation = named(ours, 'POST /stream/xlen');
    expect(ofLayer).toMatchObject([{ traceId: CALLER.traceId, parentSpanId: CALLER.spanId }]);
    expect(operation).toMatchObject({
      kind: SERVER,
      traceId: CALLER.traceId,
      parentSpanId: ofLayer[0]!.spanId,
      attributes: { 'http.route': '/stream/xlen', 'http.response.status_code': 200, 'faas.trigger': 'http' },
    });
    expect(named(ours, 'XLEN')).toMatchObject({
      kind: CLIENT,
      traceId: CALLER.traceId,
      parentSpanId: operation.spanId,
      attributes: { 'db.system.name': 'redis', 'server.address': '127.0.0.1' },
    });
  });

  it("a refused command's span is marked, and an HTTP call's only if the caller cannot fix it", async () => {
    const key = fixture.key();
    await fixture.redis('SET', key, 'text');

    const { ours } = await invoke('stream-xlen', call('/stream/xlen', { key }));

    expect(named(ours, 'XLEN')).toMatchObject({
      status: { code: FAILED },
      attributes: { 'error.type': 'STREAM:WRONG_TYPE' },
    });
    expect(named(ours, 'POST /stream/xlen')).toMatchObject({
      status: { code: 0 },
      attributes: { 'error.type': 'STREAM:WRONG_TYPE', 'http.response.status_code': 409 },
    });
  });

  it('each request to the MDM has a span, which continues in its headers', async () => {
    const before = mdm.requests.length;

    const { ours } = await invoke(
      'mdm-source-list',
      call('/mdm/source-list', { businessEntity: 'c360.city', businessId: 'M1' }),
    );

    const requests = ours.filter(({ kind }) => kind === CLIENT);
    expect(requests.map(({ name }) => name)).toEqual(['POST', 'GET']); // the login, and the list
    expect(requests[1]).toMatchObject({
      parentSpanId: named(ours, 'POST /mdm/source-list').spanId,
      attributes: { 'http.request.method': 'GET', 'server.address': '127.0.0.1' },
    });
    expect(mdm.requests.slice(before).at(-1)!.headers.traceparent).toBe(
      `00-${CALLER.traceId}-${requests[1]!.spanId}-01`,
    );
  });

  it("the span of an entry's attempt links to the enqueueing call, and names neither record nor stream", async () => {
    const enqueued = await invoke(
      'mdm-source-enqueue',
      call('/mdm/source-enqueue', { ...RECORD, record: { name: 'value of the record', country: { Code: 'DE' } } }),
    );
    const run = await invoke('stream-consumer', {});

    const enqueue = named(enqueued.ours, 'POST /mdm/source-enqueue');
    const consumer = named(run.ours, 'stream-consumer');
    const attempt = named(run.ours, 'process');
    expect(run.output).toMatchObject({ processed: 1, stoppedBecause: 'drained' });
    expect(consumer).toMatchObject({ kind: CONSUMER, parentSpanId: run.ofLayer[0]!.spanId });
    expect(attempt).toMatchObject({
      kind: CONSUMER,
      parentSpanId: consumer.spanId,
      links: [{ traceId: CALLER.traceId, spanId: enqueue.spanId }],
      attributes: { 'mdm_stream.attempt': 1 },
    });
    expect(run.ours).toContainEqual(
      expect.objectContaining({ name: 'POST', kind: CLIENT, parentSpanId: attempt.spanId }),
    );
    const lines = run.log.filter((line) => line.includes('"processed"')).map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([{ traceId: consumer.traceId }]);
    // a script that the server does not know yet is no failure
    expect(run.ours.filter(({ status }) => status.code === FAILED)).toEqual([]);
    expect(JSON.stringify([enqueued.ours, run.ours])).not.toMatch(
      /key-of-the-record|value of the record|geonames|spans-of-entries|c360/,
    );
  });
});
