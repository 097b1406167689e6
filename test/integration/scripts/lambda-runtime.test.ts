import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRuntime } from '#sandbox/aws/runtime/runtime.ts';
import { use } from '../../support/jest/use.ts';

const folder = mkdtempSync(join(tmpdir(), 'runtime-'));

writeFileSync(
  join(folder, 'index.cjs'),
  `exports.handler = async ({ how, ...event }, context) => {
    if (how === 'throw') throw Object.assign(new Error('no'), { name: 'STREAM:COMMAND' });
    if (how === 'exit') process.exit(3);
    if (how === 'hang') await new Promise((resolve) => setTimeout(resolve, 60_000));
    if (how === 'large') return 'x'.repeat(7_000_000);
    return { event, requestId: context.awsRequestId, left: context.getRemainingTimeInMillis() };
  };`,
);
const runtime = await use(startRuntime({ taskRoot: folder, handler: 'index.handler', functionName: 'f', env: {} }));
afterAll(() => rmSync(folder, { recursive: true }));

const invoke = async (payload: object, options?: object) => {
  const { payload: text, functionError } = await runtime.invoke(JSON.stringify(payload), options);
  return { functionError, json: JSON.parse(text) as Record<string, unknown> };
};

describe('a packaged function under the runtime client of AWS', () => {
  it('a packaged function returns its output, and knows its request id and remaining time', async () => {
    const { json, functionError } = await invoke({ a: 1 }, { timeoutMs: 5000, requestId: 'request-1' });

    expect(functionError).toBeUndefined();
    expect(json).toMatchObject({ event: { a: 1 }, requestId: 'request-1' });
    expect(json.left).toBeGreaterThan(0);
    expect(json.left).toBeLessThanOrEqual(5000);
  });

  it('a packaged function fails with the name, message and stack of its error', async () => {
    const { json, functionError } = await invoke({ how: 'throw' });

    expect(functionError).toBe('Unhandled');
    expect(json).toMatchObject({ errorType: 'STREAM:COMMAND', errorMessage: 'no', trace: expect.any(Array) });
  });

  it.each([
    ['an exit of its process', { how: 'exit' }, {}, 'Runtime.ExitError'],
    ['a run over its time', { how: 'hang' }, { timeoutMs: 500 }, 'Sandbox.Timedout'],
    ['a response that is too large', { how: 'large' }, {}, 'Function.ResponseSizeTooLarge'],
  ])('a packaged function survives %s', async (_what, payload, options, errorType) => {
    expect(await invoke(payload, options)).toMatchObject({ functionError: 'Unhandled', json: { errorType } });
    expect(await invoke({ a: 1 })).toMatchObject({ json: { event: { a: 1 } } });
  });
});
