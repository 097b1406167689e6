import { DIALECTS, readRecording, type DialectName, type Recording } from '#sandbox/mdm/index.ts';
import { attempt, oneOf, readArguments, ScriptError, wholeNumber } from './arguments.ts';
import { DEFAULT_PORTS } from '#sandbox/stack/names.ts';
import type { Inspected } from '#sandbox/stack/offline.ts';
import { checkRedisUrl } from '#sandbox/stack/redis-url.ts';
import type { Ports } from '#sandbox/stack/ports.ts';
import { LAMBDA_PORT, readPort } from './port-options.ts';

interface Options {
  once: boolean;
  records: number;
  ports: Ports;
  dialect: DialectName;
  recording: Recording | undefined;
  inspected: Inspected | undefined;
}

/** Reads the command line of `npm start`. */
export async function readOptions(): Promise<Options> {
  const { values } = readArguments({
    command: 'npm start',
    about: 'Starts the local stack, carries a public data set through it, shows the result, and keeps serving.',
    options: {
      once: {
        type: 'boolean',
        about: 'end after the summary: with 0 if every record is accounted for, otherwise with 1',
      },
      records: { type: 'string', default: '1000', value: '<n>', about: 'number of cities to carry' },
      port: { type: 'string', default: String(DEFAULT_PORTS.http), value: '<port>', about: 'HTTP API' },
      dialect: {
        type: 'string',
        default: process.env.SANDBOX_DIALECT || 'public',
        value: `<${DIALECTS.join('|')}>`,
        about: 'how the sandbox MDM responds: as the API is published, or as the service behind it is documented',
      },
      recording: {
        type: 'string',
        value: '<dir>',
        about: 'let the sandbox MDM answer as a tenant that npm run doctor recorded',
      },
      'lambda-port': { ...LAMBDA_PORT, about: 'Lambda endpoint' },
      inspect: {
        type: 'string',
        value: '<function>',
        about: 'open a port for a debugger, to stop in this function',
      },
      'inspect-port': { type: 'string', default: '9229', value: '<port>', about: 'port of the debugger' },
    },
    examples: [
      'npm start',
      'npm start -- --inspect stream-xadd',
      'npm start -- --once --records 20000',
      'npm start -- --dialect service',
      'npm start -- --recording tenant',
      'REDIS_URL=redis://localhost:6379 npm start',
    ],
    notes: '  REDIS_URL names a Redis server to use instead of its own.',
  });
  if (process.env.REDIS_URL) checkRedisUrl(process.env.REDIS_URL);
  return {
    once: values.once ?? false,
    dialect: oneOf('dialect', values.dialect, DIALECTS),
    recording: values.recording === undefined ? undefined : readTenant(values.recording),
    records: wholeNumber('records', values.records, { max: 10_000_000 }),
    inspected: await readInspected(values.inspect, readPort('inspect-port', values['inspect-port'])),
    ports: { http: readPort('port', values.port), lambda: readPort('lambda-port', values['lambda-port']) },
  };
}

function readTenant(folder: string): Recording {
  return attempt(
    () => readRecording(folder),
    (message) => `--recording takes a folder that npm run doctor -- --record made: ${message}`,
  );
}

async function readInspected(name: string | undefined, port: number): Promise<Inspected | undefined> {
  if (name === undefined) return undefined;
  const { functions } = await import('./build/functions.ts'); // takes a while: it reads every contract
  if (functions.some((one) => one.name === name)) return { name, port };
  throw new ScriptError(`--inspect takes the name of a function such as stream-xadd, not '${name}'`);
}
