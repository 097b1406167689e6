import { buildLocalBundles } from '#scripts/build/bundles.ts';
import type { Lifetime } from '../stack/lifetime.ts';
import type { DialectName, Recording } from '../mdm/index.ts';
import type { Inspected } from '../stack/offline.ts';
import type { Ports } from '../stack/ports.ts';
import { startStack, type StartFront } from '../stack/stack.ts';
import { BROKEN } from './broken.ts';
import { carry } from './carry.ts';
import { chooseCities, SOURCES } from './dataset.ts';
import { balance } from './ledger.ts';
import { startProgress } from './progress.ts';
import { printGoldenRecords, printLedger } from './summary.ts';
import { printTryIt } from './try-it.ts';

export interface DemoOptions {
  /** Ends after the summary. */
  once: boolean;
  /** Number of cities to carry. */
  records: number;
  ports: Ports;
  dialect: DialectName;
  recording: Recording | undefined;
  inspected: Inspected | undefined;
}

/** Starts the local stack, carries the data set through it, shows the result, and serves. Returns the exit code. */
export async function startDemo(
  { once, records, ...stackOptions }: DemoOptions,
  lifetime: Lifetime,
  startFront: StartFront,
): Promise<number> {
  const cities = chooseCities(records);
  const stack = await startStack(stackOptions, lifetime, startFront);

  console.log(`\n${cities.length} cities of the world\n  ${SOURCES.join('\n  ')}`);
  console.log('The schedule starts the consumer every minute; in between, this script does.\n');
  const progress = startProgress(cities.length + BROKEN.length, lifetime);
  const carried = await carry(stack, cities, progress.show);
  progress.stop();

  const ledger = await balance(stack, cities, carried);
  printLedger(ledger, carried.seconds);
  await printGoldenRecords(stack.post, cities);
  if (once) return ledger.faults.length === 0 ? 0 : 1;

  printTryIt(stackOptions.ports);
  void buildLocalBundles().catch(() => {}); // the other functions; a fault is reported by the call of its function
  return lifetime.serve();
}
