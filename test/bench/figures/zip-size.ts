import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { registry } from '../../../functions/registry.ts';
import type { Figure } from '../figure.ts';

/** Functions that talk to Redis and to the Lambda API, as the consumer does. */
const LIKE_CONSUMER = ['stream-consumer', 'mdm-source-enqueue', 'mdm-source-enqueue-batch'];

/** The largest zip of each kind, unpacked, with all of its files, in kB of 1000 bytes. */
export const zipSize: Figure = {
  name: 'zip-size',
  ids: ['zip-stream', 'zip-mdm', 'zip-consumer'],
  async measure(bench) {
    const names = registry.map(({ name }) => name as string);
    const isConsumer = (name: string) => LIKE_CONSUMER.includes(name);
    const isOf = (connector: string) => (name: string) => name.startsWith(`${connector}-`) && !isConsumer(name);
    const largest = (those: string[]) => [Math.max(...those.map((name) => bytesOf(bench.bundleOf(name)) / 1000))];
    return [
      { id: 'zip-stream', values: largest(names.filter(isOf('stream'))) },
      { id: 'zip-mdm', values: largest(names.filter(isOf('mdm'))) },
      { id: 'zip-consumer', values: largest(names.filter(isConsumer)) },
    ];
  },
};

/** All files that lie in the zip beside the bundle, two folders above it. */
function bytesOf(bundle: string): number {
  const root = dirname(dirname(dirname(bundle)));
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
