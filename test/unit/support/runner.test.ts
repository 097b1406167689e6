import { spawnSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { default: config } = (await import(new URL('../../../jest.config.js', import.meta.url).href)) as {
  default: { projects: object[] };
};
/** The project's configuration, of the tests that all run once. */
const { projects, ...ofRun } = config;
const once = { ...ofRun, ...projects[0] };

/** A run that takes so long does not end by itself. */
const RUN_MS = 60_000;

/** Runs Jest with the project's configuration on one test file of this text. */
async function runJest(test: string, options: object = {}, ...more: string[]) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'runner-')));
  try {
    await writeFile(join(folder, 'a.test.cjs'), test);
    const settings = JSON.stringify({ ...once, transform: {}, ...options }).replaceAll('<rootDir>/', ROOT);
    await writeFile(
      join(folder, 'jest.json'),
      JSON.stringify({ ...(JSON.parse(settings) as object), rootDir: folder, testMatch: ['**/*.test.cjs'] }),
    );
    const args = ['node_modules/jest/bin/jest.js', '--config', join(folder, 'jest.json'), '--maxWorkers=1', ...more];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: RUN_MS,
    });
    return { status, output: stdout + stderr };
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('a test file that leaves nothing open passes', async () => {
  const { status, output } = await runJest('it("waits", () => new Promise((resolve) => setTimeout(resolve, 1)));');

  expect(output).toContain('1 passed, 0 failed\n');
  expect(status).toBe(0);
});

it('a test file that leaves a timer or a server open fails', async () => {
  const test = `it('starts', () => {
    setInterval(() => {}, 1000);
    require('node:net').createServer().listen(0);
  });`;

  const { status, output } = await runJest(test, { workerGracefulExitTimeout: 200 });

  expect(output).toMatch(/This file leaves open: .*1 TCPServerWrap/);
  expect(output).toMatch(/This file leaves open: .*1 Timeout/);
  expect(status).toBe(1);
});

it('a file whose tests are all left out by -t closes what it started, so the run ends', async () => {
  const test = `const server = require('node:net').createServer().listen(0);
  afterAll(() => missing.close()); // of a beforeAll that does not run
  afterAll(() => server.close());
  it('answers', () => {});`;

  const { status, output } = await runJest(test, {}, '-t', 'no such test');

  expect(output).toContain('0 passed, 0 failed, 1 skipped\n');
  expect(status).toBe(0);
});

it('a run fails when a worker has to be killed', async () => {
  const test = "it('watches', () => { setInterval(() => {}, 1000); });";

  const { status, output } = await runJest(test, { testEnvironment: 'node', workerGracefulExitTimeout: 200 });

  expect(output).toContain('1 passed, 0 failed, a worker had to be killed\n');
  expect(status).toBe(1);
});
