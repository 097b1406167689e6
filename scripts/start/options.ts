import { parseArgs } from 'node:util';
import { DEFAULT_PORTS } from './names.ts';

const USAGE = `npm start [-- options]

  --once             ends after the summary: 0 when every record is accounted for, else 1
  --records N        how many cities to carry (default 1000)
  --port N           port of the HTTP API (default ${DEFAULT_PORTS.http})
  --lambda-port N    port of the Lambda endpoint (default ${DEFAULT_PORTS.lambda})

  REDIS_URL          a Redis to use in place of one of its own`;

export interface Options {
  once: boolean;
  records: number;
  ports: Ports;
}

export interface Ports {
  http: number;
  lambda: number;
}

/** Reads the command line; a wrong one, or `--help`, ends the process with the usage. */
export function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        once: { type: 'boolean', default: false },
        records: { type: 'string', default: '1000' },
        port: { type: 'string', default: String(DEFAULT_PORTS.http) },
        'lambda-port': { type: 'string', default: String(DEFAULT_PORTS.lambda) },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    return {
      once: values.once,
      records: readInteger('--records', values.records, 10_000_000),
      ports: {
        http: readInteger('--port', values.port, 65_535),
        lambda: readInteger('--lambda-port', values['lambda-port'], 65_535),
      },
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(1);
  }
}

function readInteger(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max) throw new Error(`${name} takes a whole number from 1 to ${max}`);
  return value;
}
