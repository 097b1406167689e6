import { statSync } from 'node:fs';
import { registry } from '../../../functions/registry.ts';
import type { Figure } from '../figure.ts';

/** Functions of the MDM connector that talk to Redis alone; their bundles are like those of the stream commands. */
const ON_STREAMS = ['mdm-source-enqueue'];

/** The largest minified bundle of each kind, in kB of 1000 bytes. What is loaded on demand only lies beside it. */
export const bundleSize: Figure = {
  name: 'bundle-size',
  async measure(bench) {
    const names = registry.map(({ name }) => name as string);
    const isConsumer = (name: string) => name === 'stream-consumer';
    const isMdm = (name: string) => name.startsWith('mdm-') && !ON_STREAMS.includes(name);
    const largest = (those: string[]) => [Math.max(...those.map((name) => statSync(bench.bundleOf(name)).size / 1000))];
    return [
      { id: 'bundle-stream', values: largest(names.filter((name) => !isConsumer(name) && !isMdm(name))) },
      { id: 'bundle-mdm', values: largest(names.filter(isMdm)) },
      { id: 'bundle-consumer', values: largest(names.filter(isConsumer)) },
    ];
  },
};
