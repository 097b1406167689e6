import { BUNDLES } from '#scripts/build/forms.ts';
import { startRuntime, type Runtime } from '#sandbox/aws/runtime/runtime.ts';
import { FUNCTION_PREFIX } from '../aws/lambda-service.ts';
import type { MdmStack } from '../mdm/mdm-sandbox.ts';

/** Packaged functions under AWS's own runtime client, in front of a stack. */
export interface Runtimes {
  /** Starts a container of a function. */
  start(name: string): Promise<Runtime>;
  /** Ends all that were started. */
  stop(): Promise<void>;
}

/**
 * @param taskRootOf where the files of a function are, `dist/<name>/` among them. Default: this project, with the
 *   bundles of the local stack
 * @param more further variables of their environment
 * @param execArgvOf options of Node.js for a function, as a layer sets them
 * @example
 * const runtimes = runtimesOf(stack);
 * const { payload } = await (await runtimes.start('stream-xadd')).invoke('{"key": "orders", "entry": {"a": "1"}}');
 */
export function runtimesOf(
  { secrets }: Pick<MdmStack, 'secrets'>,
  taskRootOf?: (name: string) => string,
  more: Record<string, string> = {},
  execArgvOf: (name: string) => string[] = () => [],
): Runtimes {
  const env = { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url, ...more };
  const started: Runtime[] = [];
  return {
    async start(name) {
      const functionName = FUNCTION_PREFIX + name;
      const handler = `${taskRootOf ? BUNDLES.release : BUNDLES.local}/${name}/index.handler`;
      const taskRoot = taskRootOf?.(name) ?? process.cwd();
      const runtime = await startRuntime({ taskRoot, handler, functionName, env, execArgv: execArgvOf(name) });
      started.push(runtime);
      return runtime;
    },
    async stop() {
      await Promise.all(started.map((runtime) => runtime.stop()));
    },
  };
}
