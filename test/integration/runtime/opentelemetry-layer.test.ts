import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleFunction } from '#scripts/build/bundle.ts';
import { functions } from '#scripts/build/functions.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';
import { use } from '../../support/jest/use.ts';
import { runtimesOf } from '../../support/stack/runtimes.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';

/* The packaged functions with an OpenTelemetry layer: the instrumentation is the published one. */

const NAMES = ['stream-xlen', 'stream-consumer', 'api-openapi'];

const layer = (extension: string) =>
  fileURLToPath(new URL(`../../support/aws/opentelemetry-layer.${extension}`, import.meta.url));
/** How a layer reaches the handler: by a hook on imports, or by requiring the function before the runtime imports it. */
const LAYERS: Record<string, (name: string) => string[]> = {
  'hooks imports': () => ['--import', layer('mjs')],
  'requires the function first': (name) => ['--require', layer('cjs'), '--require', `./dist/${name}/index.cjs`],
};

const taskRoot = await mkdtemp(join(tmpdir(), 'layered-'));
afterAll(() => rm(taskRoot, { recursive: true }));
for (const { name, handler } of functions) {
  if (NAMES.includes(name)) await bundleFunction(handler, join(taskRoot, 'dist', name));
}

const fixture = await use(
  startFixture({
    secrets: (url) => ({
      default: {
        redis: { url },
        mdm: { auth: { type: 'login-v3', loginUrl: 'http://127.0.0.1:1', username: 'u', password: 'p' } },
      },
    }),
  }),
);

describe.each(Object.entries(LAYERS))('a function with an OpenTelemetry layer that %s', (_, execArgvOf) => {
  async function invoke(name: string, payload: object) {
    const runtimes = runtimesOf(fixture, () => taskRoot, {}, execArgvOf);
    try {
      const runtime = await runtimes.start(name);
      const { payload: text, functionError } = await runtime.invoke(JSON.stringify(payload), { timeoutMs: 10_000 });
      const spans = runtime.log.filter((line) => line.startsWith('{"span"')).map((line) => JSON.parse(line) as object);
      return { functionError, output: JSON.parse(text) as unknown, spans };
    } finally {
      await runtimes.stop();
    }
  }

  it('returns its output, and the layer records a span of the invocation', async () => {
    expect(await invoke('stream-xlen', { key: fixture.key() })).toMatchObject({
      functionError: undefined,
      output: 0,
      spans: [{ span: 'mdm-stream-dev-stream-xlen', status: { code: 0 } }],
    });
  });

  it('fails with its own error type, and the layer marks the span as failed', async () => {
    expect(await invoke('stream-xlen', {})).toMatchObject({
      functionError: 'Unhandled',
      output: { errorType: 'STREAM:ARGUMENT' },
      spans: [{ span: 'mdm-stream-dev-stream-xlen', status: { code: 2 } }],
    });
  });

  it('answers HTTP calls', async () => {
    expect(await invoke('api-openapi', httpEvent('GET', '/openapi.json'))).toMatchObject({
      output: { statusCode: 200 },
      spans: [{ span: 'mdm-stream-dev-api-openapi' }],
    });
  });

  it('runs the consumer', async () => {
    expect(await invoke('stream-consumer', { stream: fixture.key(), group: 'g' })).toMatchObject({
      output: { stoppedBecause: 'drained' },
      spans: [{ span: 'mdm-stream-dev-stream-consumer' }],
    });
  });
});
