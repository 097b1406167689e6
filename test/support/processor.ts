import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * A share of a core for a process: by a control group (version 1) where one can be made; else by stopping it, and
 * letting it go on, many times a second.
 */

const ROOT = '/sys/fs/cgroup/cpu';
/** As on Lambda. */
const PERIOD_US = 20_000;
const SIGNAL_PERIOD_MS = 40;

let made = 0;
const canGroup = (() => {
  try {
    const probe = `${ROOT}/faults-${process.pid}`;
    mkdirSync(probe);
    rmdirSync(probe);
    return true;
  } catch {
    return false;
  }
})();

export interface Limit {
  /** How long the process waited for a core although it had a share left, in milliseconds: others had them all. */
  waitedMs(): number;
  /** Call it after the end of the process. */
  remove(): Promise<void>;
}

/** Lets a process have so much of a core, until it ends. */
export function limit(pid: number, share: number): Limit {
  return canGroup ? limitByGroup(pid, share) : limitBySignals(pid, share);
}

/** Nanoseconds at a place of a file, in milliseconds; 0 of a process that has ended. */
function readMs(file: string, pattern: RegExp): number {
  try {
    return Number(pattern.exec(readFileSync(file, 'utf8'))![1]) / 1e6;
  } catch {
    return 0;
  }
}

function limitByGroup(pid: number, share: number): Limit {
  const group = `${ROOT}/faults-${process.pid}-${++made}`;
  mkdirSync(group);
  writeFileSync(`${group}/cpu.cfs_period_us`, String(PERIOD_US));
  writeFileSync(`${group}/cpu.cfs_quota_us`, String(Math.round(PERIOD_US * share)));
  writeFileSync(`${group}/cgroup.procs`, String(pid));
  return {
    waitedMs: () =>
      readMs(`/proc/${pid}/schedstat`, /^\d+ (\d+)/) - readMs(`${group}/cpu.stat`, /throttled_time (\d+)/),
    async remove() {
      for (let tries = 0; tries < 50; tries++) {
        try {
          return rmdirSync(group);
        } catch {
          await sleep(20); // the process is still on its way out
        }
      }
    },
  };
}

function limitBySignals(pid: number, share: number): Limit {
  const waitedMs = () => 0; // stops and waits look alike
  if (share >= 1) return { waitedMs, remove: async () => {} };
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(pid, name);
    } catch {
      clearInterval(timer); // it has ended
    }
  };
  const timer = setInterval(() => {
    signal('SIGCONT');
    setTimeout(() => signal('SIGSTOP'), SIGNAL_PERIOD_MS * share);
  }, SIGNAL_PERIOD_MS);
  return {
    waitedMs,
    async remove() {
      clearInterval(timer);
      await sleep(SIGNAL_PERIOD_MS);
      signal('SIGCONT');
    },
  };
}

/** Processor time of a process so far, in milliseconds; 0 if it has ended. */
export function processorMs(pid: number): number {
  try {
    const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(words[11]) + Number(words[12])) * 10;
  } catch {
    return 0;
  }
}
