import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalStack, startLocalStack } from '../../support/stack/local-stack.ts';

const GUIDES = new URL('../../../docs/guides/', import.meta.url);
/** What starts the stack itself is run by the tests of the local stack. */
const STARTS_THE_STACK = /^npm (ci|start)/;

let stack: LocalStack;

beforeAll(async () => {
  stack = await startLocalStack(['--records', '200']);
  await stack.printed(/Serving/);
}, 120_000);

afterAll(() => stack?.stop());

const guides = readdirSync(GUIDES)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(new URL(name, GUIDES), 'utf8') }));

describe('the commands of the guides', () => {
  it.each(guides.flatMap(({ name, text }) => shellBlocksOf(text).map((command) => ({ name, command }))))(
    'work on the local stack: $name, $command',
    async ({ command }) => {
      const here = command.replaceAll('localhost:3000', new URL(stack.url).host);

      const { stdout } = await promisify(execFile)('bash', ['-euc', here], { timeout: 90_000 });

      expect(JSON.parse(stdout)).not.toHaveProperty('detail');
    },
    100_000,
  );

  it.each(guides)('name npm scripts that exist, in $name', ({ text }) => {
    const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      scripts: Record<string, string>;
    };

    for (const [, script] of text.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(script);
  });
});

describe('the commands of docs/types.md', () => {
  const [block] = shellBlocksOf(readFileSync(new URL('../types.md', GUIDES), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(block!.split('\n'))('work on the local stack: %s', async (command) => {
    const file = join(folder, 'records.ts');
    const here = `${command.replace('src/records.ts', file)} --lambda-port ${stack.ports.lambda}`;

    const { stdout } = await promisify(execFile)('bash', ['-euc', here], { timeout: 90_000 });

    const types = command.includes('--out') ? readFileSync(file, 'utf8') : stdout;
    expect(types).toMatch(/^export interface (Records|City) \{$/m);
  });
});

function shellBlocksOf(text: string): string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, block]) => block!.trim())
    .filter((block) => !STARTS_THE_STACK.test(block));
}
