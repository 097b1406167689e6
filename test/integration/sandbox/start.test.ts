import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalStack, spawnLocalStack, startLocalStack } from '../../support/stack/local-stack.ts';
import { DIALECTS } from '#sandbox/mdm/index.ts';
import { freePort } from '#sandbox/network/free-port.ts';

const BOOT_MS = 120_000;

describe('npm start', () => {
  let stack: LocalStack | undefined;
  afterEach(() => stack?.stop());

  it.each(DIALECTS)(
    'npm start carries every record to a golden record in the dialect %s, and exits with 0 and no process left',
    async (dialect) => {
      stack = await startLocalStack(['--once', '--records', '200', '--dialect', dialect]);

      const exitCode = await stack.ended();

      const recordsIn = numberIn(/^Records in +([\d,]+)/m, stack.output);
      const golden = numberIn(/^Golden records +([\d,]+)/m, stack.output);
      const merged = numberIn(/^Merged +([\d,]+)/m, stack.output);
      const deadLetters = numberIn(/^Dead letters +([\d,]+)/m, stack.output);
      expect({ exitCode, recordsIn, deadLetters }).toEqual({ exitCode: 0, recordsIn: 205, deadLetters: 5 });
      expect(golden + merged + deadLetters).toBe(recordsIn);
      expect(merged).toBeGreaterThan(50);
      expect(stack.output).toContain('Every record is accounted for');
      expect(stack.output).toMatch(/^Replaced +10 .*\nDeleted +10 /m);
      expect(stack.output).toMatch(/GeoNames .*CC BY 4\.0/);
      expect(stack.output).toMatch(/an entry whose record is not JSON: MDM:CLIENT_ERROR/);
      expect(stack.output.match(/^ {2}MDM\w+ {2}.*people/gm)).toHaveLength(3);
      expect(stack.processes()).toEqual([]);
    },
    BOOT_MS,
  );

  it(
    'npm start says which part exited, and stops the others',
    async () => {
      stack = await startLocalStack(['--records', '1']);
      await stack.printed(/Serving/);
      const offline = stack.processes().find((line) => line.includes('--httpPort'))!;

      process.kill(Number.parseInt(offline, 10), 'SIGKILL');
      const exitCode = await stack.ended();

      expect(exitCode).toBe(1);
      expect(stack.output).toContain('serverless-offline exited (SIGKILL)');
      expect(stack.processes()).toEqual([]);
    },
    BOOT_MS,
  );

  it('npm start names a port that is taken, and how to change it', async () => {
    const other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    stack = spawnLocalStack({ http: port, lambda: await freePort() }, ['--once']);

    const exitCode = await stack.ended();
    other.close();

    expect(exitCode).toBe(1);
    expect(stack.output).toContain(`Port ${port} (the HTTP API) is taken`);
    expect(stack.output).toContain('npm start -- --port ');
  });

  it.each([
    ['an option that does not fit', 'many', /^--records takes 1 to 10,000,000 \(a whole number\), not 'many'$/m],
    ['more records than there are', '900000', /The data set has 12\d{4} cities: choose fewer --records/],
  ])('npm start refuses %s', async (_, records, message) => {
    stack = await startLocalStack(['--records', records]);

    const exitCode = await stack.ended();

    expect(exitCode).toBe(1);
    expect(stack.output).toMatch(message);
  });
});

describe('npm start on a machine without Redis', () => {
  let stack: LocalStack;
  beforeAll(async () => {
    stack = await startLocalStack(['--records', '20'], { ...process.env, PATH: dirname(process.execPath) });
    await stack.printed(/npm run invoke.*\n/);
  }, BOOT_MS);
  afterAll(() => stack?.stop());

  it('npm start says that its Redis is embedded', () => {
    expect(stack.output).toMatch(/Redis +embedded \(js-redis-server/);
  });

  it('npm start serves the documents', async () => {
    const docs = await fetch(`${stack.url}/docs`);
    const openapi = await fetch(`${stack.url}/openapi.json`);

    expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await openapi.json()).toMatchObject({ openapi: '3.1.0' });
  });

  it('npm start serves the calls that it suggests', async () => {
    const calls = [...stack.output.matchAll(/^ {2}curl -s (\S+) -d '([^']+)'$/gm)];
    const [search, enqueue, read] = calls.map(([, url = '', body]) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }; // as curl does
      return async () => (await fetch(url, { method: 'POST', headers, body })).json();
    });

    const found = await search!();
    const { stream } = (await enqueue!()) as { stream: string };
    consume(stack, stream); // as the schedule does each minute
    const golden = await read!();

    expect(found).toMatchObject({ payload: { searchResult: { hits: expect.any(Number) } } });
    expect(golden).toMatchObject({ payload: { name: 'Atlantis', country: { Name: 'Greece', Code: 'GR' } } });
  });

  it('npm start schedules the consumer for its configuration', () => {
    const log = readFileSync(/^Log +(.+)$/m.exec(stack.output)![1]!, 'utf8');

    const scheduled = log.match(/^Scheduling \[stream-consumer\] cron: \[\*\/1 \* \* \* \*\] input: .*$/gm);

    expect(scheduled?.map((line) => line.slice(line.indexOf('{')))).toEqual(['{"configRef":"default"}']);
  });

  it("npm run invoke prints the local stack's output, or the error with its type", async () => {
    const added = invoke(stack, 'stream-xadd', '{"key":"orders","entry":{"sku":"1"}}');
    const example = invoke(stack, 'stream-xadd');
    const refused = invoke(stack, 'stream-xadd', '{"key":1}');
    const unknown = invoke(stack, 'stream-xad');
    const absent = invoke({ ports: { http: 0, lambda: await freePort() } }, 'stream-xadd');

    expect([added, example]).toEqual([expect.stringMatching(/^"\d+-\d+"\n$/), expect.stringMatching(/^"\d+-\d+"\n$/)]);
    expect(refused).toMatch(/^STREAM:ARGUMENT: 2 faults: /);
    expect(unknown).toMatch(/^There is no function 'stream-xad': npm run invoke -- --help lists them\n$/);
    expect(absent).toMatch(/^No Lambda endpoint on port \d+: npm start runs one\n$/);
  });

  it('npm start exits with 0 on Ctrl-C, and leaves no process', async () => {
    stack.kill('SIGINT');

    const exitCode = await stack.ended();

    expect(exitCode).toBe(0);
    expect(stack.processes()).toEqual([]);
  });
});

const numberIn = (line: RegExp, output: string) => Number(line.exec(output)?.[1]?.replaceAll(',', ''));

/** Runs the consumer, and again where the schedule runs it just then. */
function consume(stack: LocalStack, stream: string): void {
  const run = JSON.parse(invoke(stack, 'stream-consumer', JSON.stringify({ stream, group: 'mdm' }))) as object;
  if ('stoppedBecause' in run && run.stoppedBecause === 'lease-held') consume(stack, stream);
}

/** Runs `npm run invoke`, and gives what it printed. */
function invoke({ ports }: Pick<LocalStack, 'ports'>, ...args: string[]): string {
  const options = ['scripts/invoke.ts', '--lambda-port', String(ports.lambda), ...args];
  try {
    return execFileSync(process.execPath, options, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}
