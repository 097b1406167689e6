import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { registry } from '#functions/registry.ts';
import type { Operation } from '#lib/contract/operation.ts';
import type { Figure } from '../figure.ts';

/** The largest zip of each kind, unpacked, with all of its files, in kB of 1000 bytes. */
export const zipSize: Figure = {
  name: 'zip-size',
  ids: ['zip-stream', 'zip-mdm', 'zip-consumer'],
  async measure(bench) {
    const kindOf = ({ connector, deploy }: Operation) => (deploy.wakesConsumer ? 'consumer' : connector);
    // what wakes the consumer holds the Lambda API, too
    const byKind = Map.groupBy<string, Operation>(registry, kindOf);
    return ['stream', 'mdm', 'consumer'].map((kind) => {
      const sizes = byKind.get(kind)!.map(({ name }) => bytesOf(bench.bundleOf(name)) / 1000);
      return { id: `zip-${kind}`, values: [Math.max(...sizes)] };
    });
  },
};

/** All other files of the zip, two folders above the bundle. */
function bytesOf(bundle: string): number {
  const root = dirname(dirname(dirname(bundle)));
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
