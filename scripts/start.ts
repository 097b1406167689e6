import { startConsole } from '#sandbox/console/server.ts';
import { BROKEN } from '#sandbox/demo/broken.ts';
import { carry } from '#sandbox/demo/carry.ts';
import { chooseCities, SOURCES } from '#sandbox/demo/dataset.ts';
import { balance } from '#sandbox/demo/ledger.ts';
import { Lifetime } from '#sandbox/stack/lifetime.ts';
import { readOptions } from './stack-options.ts';
import { startProgress } from '#sandbox/demo/progress.ts';
import { startStack } from '#sandbox/stack/stack.ts';
import { printGoldenRecords, printLedger } from '#sandbox/demo/summary.ts';
import { printTryIt } from '#sandbox/demo/try-it.ts';

/*
 * npm start [-- --help]: starts the local stack, carries a public data set over HTTP, stream and consumer into the MDM,
 * shows the result, and keeps serving.
 */

const { once, records, ports, dialect } = readOptions();
const lifetime = new Lifetime();

process.exit(
  await lifetime.run(async () => {
    const cities = chooseCities(records);
    const stack = await startStack({ ports, dialect }, lifetime, startConsole);

    console.log(`\n${cities.length} cities of the world\n  ${SOURCES.join('\n  ')}`);
    console.log('The schedule starts the consumer every minute; in between, this script does.\n');
    const progress = startProgress(cities.length + BROKEN.length, lifetime);
    const carried = await carry(stack, cities, progress.show);
    progress.stop();

    const ledger = await balance(stack, cities, carried);
    printLedger(ledger, carried.seconds);
    await printGoldenRecords(stack.post, cities);
    if (once) return ledger.faults.length === 0 ? 0 : 1;

    printTryIt(ports);
    return lifetime.serve();
  }),
);
