import { afterAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { registry } from '#functions/registry.ts';
import { findProgram } from '#scripts/check/ensure-installed.ts';
import { startLocalStack } from '../../support/stack/local-stack.ts';
import { use } from '../../support/jest/use.ts';
import { BARE_ENVIRONMENT } from '../../support/bare-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'scripts-'));
const ESCAPE = '\u001b[';
const GUIDES = new URL('../../../docs/guides/', import.meta.url);
/** Other tests run what starts the stack, installs, packages or speaks to AWS, and what has files of a user. */
const RUN_ELSEWHERE = /^npm (ci|start|install)|--remote|--dry-run|^npm run (migrate|doctor)/;

const stack = await use(startLocalStack(['--records', '200']));
await stack.printed(/Serving/);
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a script on the stack, as a pipe sees it. */
async function run(script: string, ...args: string[]): Promise<string> {
  const { CONNECTOR_SECRET_PREFIX: _prefix, ...env } = process.env;
  const command = [`scripts/${script}.ts`, ...args, '--lambda-port', String(stack.ports.lambda)];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  return stdout;
}

const guides = readdirSync(GUIDES)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(new URL(name, GUIDES), 'utf8') }));

describe('the commands of the guides', () => {
  it.each(guides.flatMap(({ name, text }) => commandsOf(text).map((command) => ({ name, command }))))(
    'the commands of a guide work on the local stack: $name, $command',
    async ({ command }) => {
      const here = command.replaceAll('localhost:3000', new URL(stack.url).host);

      const { stdout } = await promisify(execFile)('bash', ['-euc', here], { timeout: 90_000 });

      expect(JSON.parse(stdout)).not.toHaveProperty('detail');
    },
    100_000,
  );

  it.each(guides)('the npm scripts named in $name exist', ({ text }) => {
    const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      scripts: Record<string, string>;
    };

    for (const [, script] of text.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(script);
  });
});

describe('the commands of docs/types.md', () => {
  const [block] = shellBlocksOf(readFileSync(new URL('../types.md', GUIDES), 'utf8'));

  it.each(block!.split('\n'))('the commands of docs/types.md work on the local stack: %s', async (command) => {
    const file = join(folder, 'documented.ts');
    const here = `${command.replace('../your-project/src/records.ts', file)} --lambda-port ${stack.ports.lambda}`;

    const { stdout } = await promisify(execFile)('bash', ['-euc', here], { timeout: 90_000 });

    const types = command.includes('--out') ? readFileSync(file, 'utf8') : stdout;
    expect(types).toMatch(/^export interface (Records|City) \{$/m);
  });
});

function shellBlocksOf(text: string): string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, block]) => block!.trim())
    .filter((block) => !RUN_ELSEWHERE.test(block));
}

/** The blocks of a guide, each after the variables that earlier ones set. */
function commandsOf(text: string): string[] {
  const variables: string[] = [];
  return shellBlocksOf(text).map((block) => {
    const command = [...variables, block].join('\n');
    variables.push(...block.split('\n').filter((line) => /^\w+=/.test(line)));
    return command;
  });
}

describe('npm start', () => {
  it('npm start prints calls that succeed, one after the other', async () => {
    const calls = stack.output.match(/^ {2}curl -s .*$/gm)!;

    for (const call of calls) {
      const { stdout } = await promisify(execFile)('bash', ['-c', `${call} -w '\\n%{http_code}'`]);
      expect({ call, answer: stdout }).toMatchObject({ answer: expect.stringMatching(/\n20[0-9]$/) as unknown });
      if (call.includes('source-enqueue')) await waitForRecord(calls.find((one) => one.includes('master-read'))!);
    }

    expect(calls).toHaveLength(6);
  });

  it.each([
    ['GET', '//', '', 302],
    ['GET', '/console/nothing', '', 404],
    ['POST', '/console/mdm', 'x', 400],
    ['POST', '/console/mdm', 'null', 400],
    ['POST', '/console/feed', '{"perSecond": "many"}', 400],
  ])('npm start keeps serving after %s %s %s', async (method, path, body, status) => {
    const call = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-X', method, '--data', body, stack.url + path];
    const { stdout } = await promisify(execFile)('curl', call);

    expect(Number(stdout)).toBe(status);
    expect((await fetch(`${stack.url}/console`)).status).toBe(200);
  });

  it.each([
    ['POST', '/stream/xad', 404],
    ['GET', '/nowhere', 404],
    ['PUT', '/stream/xadd', 405],
    ['DELETE', '/openapi.json', 405],
  ])('npm start responds to %s %s with a problem, as when deployed', async (method, path, status) => {
    const response = await fetch(stack.url + path, { method });

    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    expect(await response.json()).toMatchObject({ type: 'about:blank', status, requestId: expect.any(String) });
  });

  it("npm start has the records that the MDM operations' examples mention", async () => {
    // jobs are numbered
    const operations = registry.filter(({ name }) => name.startsWith('mdm-') && name !== 'mdm-job-read');
    const last = ['mdm-relationship-delete', 'mdm-source-delete', 'mdm-master-delete'];

    const answers: string[] = [];
    for (const { name, route, example } of operations.toSorted((a, b) => last.indexOf(a.name) - last.indexOf(b.name))) {
      const response = await fetch(stack.url + route, { method: 'POST', body: JSON.stringify(example.input) });
      answers.push(`${name} ${response.status} ${response.ok ? '' : await response.text()}`);
    }

    expect(answers.filter((answer) => !/^[a-z-]+ 20\d $/.test(answer))).toEqual([]);
  });

  it('npm start is reachable from this machine only', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address && !address.internal);
    if (!outside) return;
    const host = outside.family === 'IPv6' ? `[${outside.address}]` : outside.address;

    await expect(fetch(`http://${host}:${stack.ports.http}/console`)).rejects.toThrow('fetch failed');
  });
});

/** Waits until the consumer has carried what was enqueued. */
async function waitForRecord(masterRead: string): Promise<void> {
  for (;;) {
    const { stdout } = await promisify(execFile)('bash', ['-c', masterRead]);
    if (!stdout.includes('"type"')) return;
    await sleep(200);
  }
}

describe('npm run invoke', () => {
  it('npm run invoke calls a function with the event that another Lambda sends', async () => {
    const output = await run('invoke', 'stream-xadd', '--event', 'events/direct/stream-xadd.json');

    expect(JSON.parse(output)).toMatch(/^\d+-\d+$/);
  });

  it('npm run invoke calls a function with the event that API Gateway sends', async () => {
    const output = await run('invoke', 'stream-xadd', '--event', 'events/stream-xadd.json');

    expect(JSON.parse(output)).toMatchObject({ statusCode: 200, body: expect.stringMatching(/\d+-\d+/) });
  });

  it("npm run invoke calls a function with its schedule's input", async () => {
    const output = await run('invoke', 'stream-consumer', '--event', 'events/stream-consumer.json');

    expect(JSON.parse(output)).toMatchObject({ stoppedBecause: expect.any(String) });
  });

  it('says what failed, and the cure in a line of its own', async () => {
    const call = run('invoke', 'stream-xlen', '{"key": "k", "configRef": "absent"}');
    const { stderr } = await call.then(() => ({ stderr: '' })).catch((error: unknown) => error as { stderr: string });

    expect(stderr).toMatch(
      /^STREAM:ARGUMENT: .*\/configRef names no connector configuration\n→ Create the secret <secretPrefix><configRef>/,
    );
  });

  it('prints the digits of an output as they are', async () => {
    const digits = await run('invoke', 'mdm-business-entities', '{}');

    expect(JSON.parse(digits)).toContainEqual(expect.objectContaining({ id: 'c360.city' }));
  });
});

describe('npm run status', () => {
  it('npm run status finds the local stack, and shows every shard with its dead letters', async () => {
    const table = await run('status');

    expect(table).toMatch(/^stream +length +group +lag /);
    expect(table.match(/^source-submit:\d+ .* mdm /gm)!.length).toBeGreaterThan(1);
    expect(table).toMatch(/MDM:CLIENT_ERROR +\S/);
    expect(table).not.toContain(ESCAPE);
  });

  it('npm run status shows the shards of a stream that is named without their number', async () => {
    const named = await run('status', 'source-submit');
    const none = await run('status', 'source-submit', '--group', 'nobody');

    for (const shard of [0, 1]) expect(named).toMatch(new RegExp(`^source-submit:${shard} +\\d+ +mdm `, 'm'));
    expect(none).toBe('No consumer group reads these streams\n');
  });

  const hasPty = findProgram(['script']) !== undefined;
  (hasPty ? it : it.skip)('has colours on a terminal, and none with NO_COLOR', async () => {
    const command = `'${process.execPath}' scripts/status.ts --lambda-port ${stack.ports.lambda}`;
    const onTerminal = async (env: Record<string, string>) => {
      // Not the surroundings of the tests: NO_COLOR, CI and others of theirs would decide.
      const options = { env: { ...BARE_ENVIRONMENT, TERM: 'xterm-256color', ...env } };
      return (await promisify(execFile)('script', ['-qec', command, '/dev/null'], options)).stdout;
    };

    expect(await onTerminal({})).toContain(ESCAPE);
    expect(await onTerminal({ NO_COLOR: '1' })).not.toContain(ESCAPE);
  });
});

describe('npm run mcp -- --function-prefix', () => {
  const env = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    ...BARE_ENVIRONMENT,
  };
  const connect = async (prefix: string, ...args: string[]) => {
    const client = new Client({ name: 'test', version: '1' });
    const endpoint = { AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${stack.ports.lambda}` };
    const command = { command: process.execPath, args: ['scripts/mcp.ts', '--function-prefix', prefix, ...args] };
    await client.connect(new StdioClientTransport({ ...command, env: { ...env, ...endpoint }, stderr: 'ignore' }));
    return client;
  };
  const call = async (client: Client, name: string, input: object) => {
    const { isError = false, content } = (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
    return { isError, output: JSON.parse((content[0] as { text: string }).text) as unknown };
  };

  it('npm run mcp -- --function-prefix invokes the deployed functions: reads, and writes if allowed', async () => {
    const client = await connect('mdm-stream-local-', '--allow-writes');

    const added = await call(client, 'stream-xadd', { key: 'mcp', entry: { order: '1' } });
    const read = await call(client, 'stream-xrange', { key: 'mcp', start: '-', end: '+' });
    const entities = await call(client, 'mdm-business-entities', {});
    await client.close();

    expect(added).toEqual({ isError: false, output: expect.stringMatching(/^\d+-\d+$/) });
    expect(read.output).toEqual({ [added.output as string]: { order: '1' } });
    expect(entities.output).toContainEqual(expect.objectContaining({ id: 'c360.city' }));
  });

  it("npm run mcp -- --function-prefix reports a function's error with type and status, as over HTTP", async () => {
    const client = await connect('mdm-stream-local-');

    const refused = await call(client, 'stream-xlen', { key: 1 });
    const missing = await call(client, 'stream-xinfo-stream', { key: 'no-such-stream' });
    await client.close();

    expect(refused).toMatchObject({
      isError: true,
      output: { type: 'STREAM:ARGUMENT', status: 400, errors: [{ pointer: '/key' }] },
    });
    expect(missing).toMatchObject({ isError: true, output: { type: 'STREAM:COMMAND', status: 404, retryable: false } });
  });

  it('npm run mcp -- --function-prefix says if there is no such function', async () => {
    const client = await connect('no-such-prefix-');

    const { isError, output } = await call(client, 'stream-xlen', { key: 'k' });
    await client.close();

    expect({ isError, output }).toMatchObject({ isError: true, output: { type: 'CLIENT:TRANSPORT', status: 404 } });
  });
});
