import type { Figure } from '../figure.ts';

/** An hour of ten invocations a second, and its first five minutes. */
const INVOCATIONS = 36_000;
const FIRST = 3_000;

/** The heap of a warm container after an hour's worth of invocations, over what it was at the beginning. */
export const heap: Figure = {
  name: 'heap',
  ids: ['heap-stream', 'heap-mdm'],
  async measure({ run, bundleOf, isQuick }) {
    if (isQuick) return []; // two hours' worth would take a third of --quick
    const growth = async (name: string, event: object) => [
      await run<number>('heap.cjs', { handler: bundleOf(name), event, first: FIRST, times: INVOCATIONS }),
    ];
    const entry = { value: 'x'.repeat(100) };
    const record = { businessEntity: 'c360.person', businessId: 'MDM00000000001' };
    return [
      { id: 'heap-stream', values: await growth('stream-xadd', { key: 'bench:heap', entry }) },
      { id: 'heap-mdm', values: await growth('mdm-master-read', record) },
    ];
  },
};
