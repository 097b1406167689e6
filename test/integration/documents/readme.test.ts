import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { startHttpGateway } from '../../support/aws/http-gateway.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { use } from '../../support/jest/use.ts';

const run = promisify(execFile);
const readme = readFileSync('README.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Commands of the shell blocks, without comments. */
const commands = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
  block!
    .split('\n')
    .map((line) => line.replace(/ +#.*$/, ''))
    .filter(Boolean),
);
/** Each call, and the block after it: its response. */
const calls = [...readme.matchAll(/^```sh\n(curl .*)\n```\n\n```(?:json)?\n([\s\S]*?)\n```$/gm)].map(
  ([, command, response]) => [command!, response!] as const,
);

const fixture = await use(startFixture());
const gateway = await use(startHttpGateway(fixture.lambda));

/** What differs from call to call replaced, and spaces left out. */
const steady = (response: string) =>
  response
    .replaceAll(/\d{13}-\d/g, '<id>')
    .replaceAll(/"requestId": ?"[^"]*"/g, '"requestId": "<id>"')
    .replaceAll(/\s(?=([^"]*"[^"]*")*[^"]*$)/g, '');

describe('the README', () => {
  it.each(calls)('the README shows the response of %s', async (command, response) => {
    const { stdout } = await run('sh', ['-c', command.replace('localhost:3000', gateway.url)]);

    expect(steady(stdout)).toBe(steady(response));
  });

  it('the README shows the whole handler of stream-xack', () => {
    expect(readme).toContain(`\`\`\`typescript\n${readFileSync('functions/stream/xack/handler.ts', 'utf8')}\`\`\``);
  });

  it("the README's shell commands are only calls, scripts of this project, and the deployment", () => {
    const others = commands.filter((command) => !command.startsWith('curl '));
    const parts = others.flatMap((command) => command.split(' && '));
    const unknown = parts.filter((part) => {
      const [, script] = /^npm (?:run )?([\w:-]+)/.exec(part) ?? [];
      return !(script === 'ci' || (script && script in scripts));
    });

    expect(calls).toHaveLength(commands.length - others.length);
    expect(calls.length).toBeGreaterThan(2);
    expect(unknown).toEqual([]);
  });
});
