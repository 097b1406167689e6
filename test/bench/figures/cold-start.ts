import { httpEvent } from '#sandbox/aws/http-event.ts';
import type { Figure } from '../figure.ts';
import { interleave, quotients } from '../rounds.ts';

/** Load and first invocation in a new process, secret and connect included, over those of the handler by hand. */
export const coldStart: Figure = {
  name: 'cold-start',
  ids: ['cold-start-stream', 'cold-start-mdm', 'cold-start-consumer'],
  most: 4,
  async measure(bench) {
    const append = post('/stream/xadd', { key: 'bench:cold', entry: { a: '1' } });
    const read = post('/mdm/master-read', { businessEntity: 'c360.person', businessId: 'MDM00000000001' });
    const firstCall = (handler: string, event: unknown) => async () => {
      const { loadMs, calls } = await bench.invoke(handler, [event]);
      return loadMs + calls[0]!.ms;
    };
    const variants = {
      byHand: firstCall(bench.byHand, append),
      stream: firstCall(bench.bundleOf('stream-xadd'), append),
      mdm: firstCall(bench.bundleOf('mdm-master-read'), read),
      consumer: firstCall(bench.bundleOf('stream-consumer'), { stream: 'bench:cold:0', group: 'bench' }),
    };
    await interleave(1, variants); // brings the files into the page cache
    const ms = await interleave(3 * bench.rounds, variants); // a process costs little, and varies much
    return (['stream', 'mdm', 'consumer'] as const).map((name) => ({
      id: `cold-start-${name}`,
      values: quotients(ms[name], ms.byHand),
    }));
  },
};

const post = (route: string, parameters: object) => httpEvent('POST', route, JSON.stringify(parameters));
