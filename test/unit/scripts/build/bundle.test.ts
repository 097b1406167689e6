import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bundleFunction } from '#scripts/build/bundle.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('replaces a bundle atomically, so a running stack always finds one, and leaves no old file', async () => {
  const [source, directory] = [join(folder, 'handler.ts'), join(folder, 'dist')];
  await writeFile(source, 'export const handler = () => 1;');
  await bundleFunction(source, directory);
  await writeFile(join(directory, 'chunk-former.cjs'), '');
  let isBuilding = true;

  const rebuilt = bundleFunction(source, directory).finally(() => (isBuilding = false));

  let missed = 0;
  for (; isBuilding; await turn()) if (!existsSync(join(directory, 'index.cjs'))) missed++;
  await rebuilt;
  expect(missed).toBe(0);
  expect(readdirSync(directory).sort()).toEqual(['index.cjs', 'index.cjs.map']);
  expect(readdirSync(folder).sort()).toEqual(['dist', 'handler.ts']);
});
