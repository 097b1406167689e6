import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { freePort } from '#sandbox/network/free-port.ts';
import { startLocalStack } from '#test/support/stack/local-stack.ts';
import { use } from '#test/support/jest/use.ts';
import { until } from '#test/support/until.ts';

const HANDLER = 'functions/stream/xadd/handler.ts';
const FOLDER = '.build/functions/stream-xadd';

/** A message of the debugger, as Chrome's protocol has it. */
interface Message {
  id?: number;
  method?: string;
  result?: unknown;
  params?: { callFrames?: { url: string; location: { lineNumber: number; columnNumber: number } }[] };
}

async function attach(url: string) {
  const socket = new WebSocket(url);
  await new Promise((resolve) => (socket.onopen = resolve));
  const events: Message[] = [];
  const replies = new Map<number, (message: Message) => void>();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id === undefined) events.push(message);
    else replies.get(message.id)?.(message);
  };
  let count = 0;
  return {
    events,
    close: () => new Promise((resolve) => ((socket.onclose = resolve), socket.close())),
    send: (method: string, params: object = {}) =>
      new Promise<Message>((resolve) => {
        replies.set(++count, resolve);
        socket.send(JSON.stringify({ id: count, method, params }));
      }),
  };
}

/** The source map of the bundle, with paths of the project. */
function readBundleMap(): SourceMap {
  const map = /^\/\/# sourceMappingURL=(.+)$/m.exec(readFileSync(join(FOLDER, 'index.cjs'), 'utf8'))![1]!;
  const payload = JSON.parse(readFileSync(join(FOLDER, map), 'utf8')) as SourceMapPayload;
  return new SourceMap({ ...payload, sources: payload.sources.map((path) => join(FOLDER, path)) });
}

/** Where this text of the source is in the bundle, counted from 0. */
function placeOf(text: string): { lineNumber: number; columnNumber: number } {
  const source = readFileSync(HANDLER, 'utf8').split('\n');
  const line = source.findIndex((one) => one.includes(text));
  const column = source[line]!.indexOf(text);
  const map = readBundleMap();
  const code = readFileSync(join(FOLDER, 'index.cjs'), 'utf8').split('\n');
  for (const [lineNumber, { length }] of code.entries()) {
    for (let columnNumber = 0; columnNumber < length; columnNumber++) {
      const entry = map.findEntry(lineNumber, columnNumber);
      if (!('originalSource' in entry) || !entry.originalSource.endsWith(HANDLER)) continue;
      if (entry.originalLine === line && entry.originalColumn === column) return { lineNumber, columnNumber };
    }
  }
  throw new Error(`${text} is not in the bundle`);
}

it('npm start -- --inspect stops at a breakpoint in the TypeScript source of a function', async () => {
  const port = String(await freePort());
  const stack = await use(startLocalStack(['--records', '1', '--inspect', 'stream-xadd', '--inspect-port', port]));
  await stack.printed(/Serving/);
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const debuggee = await attach(target!.webSocketDebuggerUrl);
  await debuggee.send('Debugger.enable');
  await debuggee.send('Debugger.setBreakpointByUrl', { urlRegex: `${FOLDER}/index\\.cjs$`, ...placeOf('redis.send(') });

  const added = fetch(`${stack.url}/stream/xadd`, { method: 'POST', body: '{"key":"orders","entry":{"sku":"1"}}' });
  const paused = () => debuggee.events.find(({ method }) => method === 'Debugger.paused')?.params?.callFrames?.[0];
  await until(async () => paused() !== undefined);
  const { lineNumber, columnNumber } = paused()!.location;
  const stoppedAt = readBundleMap().findEntry(lineNumber, columnNumber);
  await debuggee.send('Debugger.resume');

  expect(stoppedAt).toMatchObject({ originalSource: expect.stringMatching(new RegExp(`${HANDLER}$`)) });
  expect(readFileSync(HANDLER, 'utf8').split('\n')[(stoppedAt as { originalLine: number }).originalLine]).toContain(
    'redis.send(',
  );
  expect((await added).status).toBe(200);
  await debuggee.close();
});
