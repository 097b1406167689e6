import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunLog } from '#sandbox/console/run-log.ts';

let folder: string;

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'run-log-'))));
afterAll(() => rmSync(folder, { recursive: true }));

it('the console counts runs that found every shard taken separately from the others', () => {
  const path = join(folder, 'functions.log');
  const write = (stoppedBecause: string, time: string) =>
    appendFileSync(
      path,
      `2026 INFO ${JSON.stringify({ message: 'run', time, stoppedBecause, processed: 1, runMs: 5 })}\n`,
    );

  write('drained', '10:00');
  for (let minute = 10; minute < 40; minute++) write('lease-held', `10:${minute}`);
  write('paused', '10:50');
  const { runs, held } = new RunLog(path).read();

  expect(runs.map(({ stoppedBecause }) => stoppedBecause)).toEqual(['paused', 'drained']);
  expect(held).toEqual({ count: 30, last: '10:39' });
});
