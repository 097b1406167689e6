import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { withLock } from '#scripts/build/lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('the build lock lets one process work at a time, and is released after a failure', async () => {
  const lock = join(folder, 'one/lock');
  const steps: string[] = [];
  const first = withLock(lock, async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    steps.push('first');
    throw new Error('failed');
  });

  const second = withLock(lock, async () => void steps.push('second'));

  await expect(first).rejects.toThrow('failed');
  await second;
  expect(steps).toEqual(['first', 'second']);
  expect(existsSync(lock)).toBe(false);
});

it("the build lock waits for a running process, and ignores a killed one's lock", async () => {
  const lock = join(folder, 'lock');
  const owner = spawn('sleep', ['60']);
  writeFileSync(lock, String(owner.pid));
  let isHeld = true;

  const work = withLock(lock, async () => isHeld);
  await new Promise((resolve) => setTimeout(resolve, 200));
  isHeld = false;
  owner.kill('SIGKILL');
  await once(owner, 'exit');

  expect(await work).toBe(false);
});

it('the build lock is taken over if its process is gone', async () => {
  const lock = join(folder, 'lock');
  const { pid } = spawnSync('true');
  writeFileSync(lock, String(pid));

  expect(await withLock(lock, async () => 'worked')).toBe('worked');
});
