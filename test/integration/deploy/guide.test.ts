import { afterAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs, promisify } from 'node:util';
import { parse } from 'yaml';
import { registry } from '#functions/registry.ts';
import { validate } from '#lib/contract/validation.ts';
import { readParameters } from '#deploy/read-parameters.ts';
import { isSignedBy } from '../../support/aws/signature.ts';

const run = promisify(execFile);
const guide = readFileSync('docs/deploy.md', 'utf8');
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block]) => block!);
const commands = blocks('sh').flatMap((block) => block.replaceAll('\\\n', ' ').trim().split('\n'));
const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts;
const work = mkdtempSync(join(tmpdir(), 'guide-'));
afterAll(() => rmSync(work, { recursive: true }));

describe('the deployment guide', () => {
  it.each(commands)('the deployment guide has a valid shell command: %s', async (command) => {
    await run('bash', ['-n', '-c', command]);
    expect(command).toMatch(
      /^(npm run|aws (iam create-policy|secretsmanager|cloudformation|logs)|curl|rm secret.json)/,
    );
  });

  it('the deployment guide has a valid configuration', async () => {
    writeFileSync(join(work, 'secret.json'), blocks('json')[0]!);
    expect(commands).toContain('npm run secret -- check secret.json');

    const { stdout } = await run('node', ['scripts/secret.ts', 'check', join(work, 'secret.json')]);

    expect(stdout).toContain('secret.json is valid');
  });

  it.each(commands.filter((command) => command.startsWith('npm run deploy')))(
    'the deployment guide has valid parameters: %s',
    (command) => {
      const options = {
        stage: { type: 'string' },
        region: { type: 'string' },
        param: { type: 'string', multiple: true },
        reset: { type: 'string', multiple: true },
        plan: { type: 'boolean' },
      } as const;
      const { values } = parseArgs({ args: command.split(/\s+/).slice(4), options });

      expect(values.stage).toBe('prod');
      expect(() =>
        readParameters({ service: 'mdm-stream', stage: 'prod', commandLine: values.param ?? [], blocks: {} }),
      ).not.toThrow();
    },
  );

  it('the deployment guide has a valid parameters file', () => {
    const file = parse(blocks('yaml')[0]!) as Record<string, unknown>;

    expect(readParameters({ service: 'mdm-stream', stage: 'prod', commandLine: [], file, blocks: {} })).toMatchObject({
      consumers: 4,
      schedules: [{ operation: 'stream-xtrim' }],
    });
  });

  it.each(commands.filter((command) => command.startsWith('npm run invoke')))(
    'the deployment guide has valid input: %s',
    (command) => {
      const [, name, input] = /--stage prod (\S+) '(.*)'$/.exec(command)!;
      const operation = registry.find((candidate) => candidate.name === name)!;

      expect(validate(operation.input, JSON.parse(input!))).toEqual([]);
    },
  );

  it('the deployment guide refers to scripts and files that exist', () => {
    for (const [, name] of guide.matchAll(/npm run (?:--silent )?([a-z]+)/g)) expect(scripts).toHaveProperty(name!);
    for (const [, path] of guide.matchAll(/\]\(([\w./-]+)\)/g))
      expect([path, existsSync(join('docs', path!))]).toEqual([path, true]);
  });

  it('the deployment guide has a first call that is signed as AWS expects', async () => {
    const seen: { request: IncomingMessage; body: string }[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        seen.push({ request, body });
        response.end('[]');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'token' };

    await run('bash', ['-c', commands.find((command) => command.startsWith('curl'))!], {
      env: {
        PATH: process.env.PATH,
        HTTP_API_URL: `http://${host}`,
        AWS_ACCESS_KEY_ID: 'AKID',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_SESSION_TOKEN: 'token',
      },
    });
    server.close();

    const { request, body } = seen[0]!;
    expect(isSignedBy(credentials, 'execute-api', request, body)).toBe(true);
  });
});
