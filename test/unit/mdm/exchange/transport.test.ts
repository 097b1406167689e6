import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const module = (path: string) => new URL(`../../../../lib/${path}`, import.meta.url).href;
const PROGRAM = `
const { exchange } = await import('${module('mdm/exchange/transport.ts')}');
const { Deadline } = await import('${module('core/deadline.ts')}');
const call = { method: 'POST', url: 'http://127.0.0.1:9/', headers: {}, body: '{}', signal: AbortSignal.abort() };
const ended = await exchange(call, { timeoutMs: 1000 }, Deadline.after(1000)).catch(({ type }) => type);
setTimeout(() => console.log(ended), 50);`;

it('a call abandoned before it is sent fails without ending the process', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);

  expect(stdout.trim()).toBe('MDM:TIMEOUT');
});
