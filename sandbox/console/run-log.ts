import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { RunHistory, RunLine } from './messages.ts';

const KEPT = 20;
const MAX_READ_BYTES = 4 * 1024 * 1024;

/** The last runs, read from what the functions log. */
export class RunLog {
  readonly #path: string;
  readonly #runs: RunLine[] = [];
  #held: RunHistory['held'] = { count: 0, last: '' };
  #offset = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** The last runs; those that found every shard taken are counted, so that they do not push out the others. */
  read(): RunHistory {
    for (const line of this.#newLines()) {
      const run = parseRun(line);
      if (run?.stoppedBecause === 'lease-held') this.#held = { count: this.#held.count + 1, last: run.time };
      else if (run) this.#runs.unshift(run);
    }
    this.#runs.splice(KEPT);
    return { runs: this.#runs, held: this.#held };
  }

  #newLines(): string[] {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    if (size < this.#offset) this.#offset = 0; // the file was started again
    const length = Math.min(size - this.#offset, MAX_READ_BYTES);
    if (length === 0) return [];
    const buffer = Buffer.alloc(length);
    const file = openSync(this.#path, 'r');
    this.#offset += readSync(file, buffer, 0, length, this.#offset);
    closeSync(file);
    const lines = `${this.#rest}${buffer.toString('utf8')}`.split('\n');
    this.#rest = lines.pop()!;
    return lines;
  }
}

function parseRun(line: string): RunLine | undefined {
  if (!line.includes('"stoppedBecause"')) return undefined;
  try {
    const run = JSON.parse(line.slice(line.indexOf('{'))) as RunLine;
    const { time, processed, failed, deadLettered, stoppedBecause, runMs } = run;
    return { time, processed, failed, deadLettered, stoppedBecause, runMs };
  } catch {
    return undefined;
  }
}
