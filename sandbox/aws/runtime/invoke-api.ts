import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { startRuntime, type Runtime, type RuntimeOptions } from './runtime.ts';
import { listen } from '../../network/listen.ts';

export interface InvokeApi {
  /** For `AWS_ENDPOINT_URL_LAMBDA`, or the `endpoint` of a Lambda client. */
  readonly url: string;
  /** A function's log lines so far. */
  logOf(functionName: string): readonly string[];
  close(): Promise<void>;
}

/**
 * Lambda's Invoke API on loopback, with a container for each invoked function. `find` returns the options of a
 * function's container, or undefined if the function does not exist.
 */
export async function startInvokeApi(find: (functionName: string) => RuntimeOptions | undefined): Promise<InvokeApi> {
  const runtimes = new Map<string, Promise<Runtime>>();
  const logs = new Map<string, readonly string[]>();

  const server = createServer((request, response) => {
    const serve = async () => {
      const payload = (await text(request)) || '{}';
      const name = decodeURIComponent(request.url!.split('/')[3]!).replace(/^arn:.*:function:/, '');
      const options = find(name);
      if (!options) {
        response.writeHead(404, {
          'content-type': 'application/json',
          'x-amzn-errortype': 'ResourceNotFoundException',
        });
        response.end(JSON.stringify({ Type: 'User', Message: `Function not found: ${name}` }));
        return;
      }
      if (!runtimes.has(name)) runtimes.set(name, startRuntime(options));
      const runtime = await runtimes.get(name)!;
      logs.set(name, runtime.log);
      const context = request.headers['x-amz-client-context'];
      const clientContext = context === undefined ? undefined : Buffer.from(String(context), 'base64').toString();
      if (request.headers['x-amz-invocation-type'] === 'Event') {
        void runtime.invoke(payload, { clientContext });
        response.writeHead(202).end();
        return;
      }
      const result = await runtime.invoke(payload, { clientContext });
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-amz-executed-version': '$LATEST',
        ...(result.functionError && { 'x-amz-function-error': result.functionError }),
      });
      response.end(result.payload);
    };
    serve().catch(() => response.destroy());
  });
  const { url, close } = await listen(server);

  return {
    url,
    logOf: (name) => logs.get(name) ?? [],
    async close() {
      await close();
      const started = await Promise.all(runtimes.values());
      await Promise.all(started.map((runtime) => runtime.stop()));
    },
  };
}
