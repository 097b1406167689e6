import { Lifetime } from '#sandbox/stack/lifetime.ts';
import { readOptions } from './stack-options.ts';

/*
 * npm start [-- --help]: starts the local stack, carries a public data set over HTTP, stream and consumer into the MDM,
 * shows the result, and keeps serving.
 */

const options = await readOptions();
console.log('Starting the local stack…');
// after the first line: the data set takes a second to load
const { startDemo } = await import('#sandbox/demo/demo.ts');
const { startConsole } = await import('#sandbox/console/server.ts');
const lifetime = new Lifetime();

process.exit(await lifetime.run(() => startDemo(options, lifetime, startConsole)));
