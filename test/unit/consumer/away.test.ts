import { expect, it } from '@jest/globals';
import { consume, type Consumed } from '#lib/consumer/consume.ts';
import { fieldOf, type Entry } from '#lib/consumer/entry.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import { createLog } from '#lib/core/log.ts';
import { MemoryGroup, MemoryStream, type Call } from '../../support/consumer/memory-group.ts';
import { SETTINGS as USUAL } from '../../support/consumer/memory-shard.ts';
import { VirtualTime } from '../../support/consumer/virtual-time.ts';

/*
 * Two shards on two nodes of a cluster, one of which goes away at each of its calls in turn: for that call alone, for
 * less and for more than a lease, or for good; before it did what it was asked, or after.
 */

const LEASE_MS = 3000;
const ENTRIES = 12;
const TARGET_MS = 20;
const SETTINGS = {
  ...USUAL,
  batchSize: 4,
  concurrency: 3,
  maxDeliveries: 2,
  leaseMs: LEASE_MS,
  trim: true,
  budgetMs: 20_000,
};

interface Absence {
  /** The call of its shard at which the node goes away. */
  readonly from: number;
  readonly forMs: number;
  /** Whether the node does what it is asked, and only its reply is lost. */
  readonly isCarriedOut: boolean;
}

interface Played {
  readonly first: Consumed;
  readonly second: Consumed;
  /** What the target took of each shard in the first run, and in both. */
  readonly sent: readonly [first: string[][], both: string[][]];
  readonly firstMs: number;
  /** How often the node was asked in vain. */
  readonly inVain: number;
  /** Deliveries of entries of its shard that the first run left without an attempt. */
  readonly unattempted: readonly number[];
}

async function play({ from, forMs, isCarriedOut }: Absence): Promise<Played> {
  const time = new VirtualTime();
  const streams = [new MemoryStream(), new MemoryStream()];
  for (const stream of streams) for (let n = 0; n < ENTRIES; n++) stream.add(0, 'key', String(n % 3), 'n', String(n));
  const sent: string[][] = [[], []];
  const process = async (entry: Entry, { stream }: { stream: string }) => {
    sent[Number(stream)]!.push(fieldOf(entry, 'n')!);
    await time.sleep(TARGET_MS);
  };
  let [calls, inVain] = [0, 0];
  let backAt = -Infinity;
  const reached: Call = async (work) => {
    await time.sleep(1);
    return work();
  };
  const wavering: Call = async (work) => {
    if (calls++ === from) backAt = time.now + forMs;
    if (time.now > backAt) return reached(work);
    inVain++;
    if (isCarriedOut) await reached(work);
    else await time.sleep(1);
    throw new ConnectorError('STREAM:COMMAND', 'Redis is out of reach', { status: 503, outcome: 'unknown' });
  };
  const run = (name: string) => {
    const clock = time.clock();
    const groupOf = (shard: number) => {
      const options = { run: name, isOnCluster: true };
      return new MemoryGroup(streams[shard]!, clock, LEASE_MS, shard === 1 ? wavering : reached, options);
    };
    const shards = [0, 1].map((shard) => ({ stream: String(shard), group: groupOf(shard) }));
    const log = createLog('error', {}, () => {});
    return time.until(consume({ shards, target: { keyFields: ['key'], process }, settings: SETTINGS, log, clock }));
  };
  const first = await run('first');
  const firstMs = time.now;
  const sentByFirst = sent.map((each) => [...each]);
  const unattempted = [...streams[1]!.pending.values()]
    .filter(({ entry }) => !sent[1]!.includes(fieldOf(entry, 'n')!))
    .map(({ deliveries }) => deliveries);
  calls = backAt = -Infinity; // it is back, and stays
  await time.until(time.sleep(LEASE_MS));
  return { first, second: await run('second'), sent: [sentByFirst, sent], firstMs, inVain, unattempted };
}

const ALL = Array.from({ length: ENTRIES }, (_, n) => String(n));
const inOrderOfKeys = (sent: readonly string[]) =>
  [0, 1, 2].flatMap((key) => sent.filter((n) => Number(n) % 3 === key));

it.each([
  ['for one call', 0],
  ['for less than a lease', 700],
  ['for more than a lease', 5000],
  ['for good', Infinity],
])('a node that goes away %s, whatever it was asked, costs the shard on the other one nothing', async (_, forMs) => {
  for (const isCarriedOut of [false, true]) {
    for (let from = 0, isOver = false; !isOver; from++) {
      const { first, second, sent, firstMs, inVain, unattempted } = await play({ from, forMs, isCarriedOut });
      isOver = inVain === 0;
      const [byFirst, inAll] = sent;
      const played = { from, isCarriedOut };
      expect({ ...played, sent: inOrderOfKeys(byFirst[0]!) }).toEqual({ ...played, sent: inOrderOfKeys(ALL) });
      expect({ ...played, sent: [...new Set(inAll[1])].sort() }).toEqual({ ...played, sent: ALL.toSorted() });
      expect({ ...played, ...first.report }).toMatchObject({ ...played, failed: 0, deadLettered: 0 });
      expect({ ...played, ...second.report }).toMatchObject({ ...played, deadLettered: 0, pending: 0, lag: 0 });
      // without an error, the run has carried both shards
      if (!first.error) expect({ ...played, sent: byFirst[1]!.length }).toEqual({ ...played, sent: ENTRIES });
      else expect(first.error).toMatchObject({ status: 503 });
      expect(firstMs).toBeLessThan(LEASE_MS + 2000);
      expect({ ...played, isFew: inVain < 30 }).toEqual({ ...played, isFew: true });
      // back in time, it takes back what it has delivered; the run does not know of what it delivered without a reply
      if (forMs < LEASE_MS && !isCarriedOut)
        expect({ ...played, delivered: unattempted.filter(Boolean) }).toEqual({ ...played, delivered: [] });
    }
  }
});
