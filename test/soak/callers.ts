import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { World } from './worlds.ts';

const CALLERS = 50;
/** No call may take longer: the time of its invocation, and what the machine takes to report it. */
const BOUND_MS = 20_000;
const TIMEOUT_MS = 6000;

export interface SoakReport {
  calls: number;
  failures: Record<string, number>;
  /** What must not be. */
  faults: string[];
}

/** Errors that the table of docs/errors.md knows. */
const ALLOWED = new Set(['STREAM:ARGUMENT 400', 'STREAM:WRONG_TYPE 409', ...[404, 409, 413, 422, 502, 503, 504].map((status) => `STREAM:COMMAND ${status}`)]); // prettier-ignore

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
const key = () => `s${Math.floor(Math.random() * 5)}`;
const member = { group: 'g', consumer: 'c' };
const COMMANDS: readonly (() => [operation: string, parameters: object])[] = [
  () => ['xadd', { key: key(), entry: { a: '1' }, evictionOption: { maxLength: 1000 } }],
  () => ['xadd-batch', { key: key(), entries: [{ a: '1' }, { b: '2' }] }],
  () => ['xrange', { key: key(), start: '-', end: '+', count: 10 }],
  () => ['xread', { block: 200, streamWatermarks: [{ key: key(), id: '$' }] }],
  () => ['xreadgroup', { ...member, count: 10, block: 100, streamWatermarks: [{ key: key(), id: '>' }] }],
  () => ['xautoclaim', { ...member, key: key(), minIdleMs: 50, count: 5 }],
  () => ['xpending', { group: 'g', key: key() }],
  () => ['xinfo-groups', { key: key() }],
  () => ['xrange', { key: 'text', start: '-', end: '+' }],
  () => ['xgroup-create', { key: key(), group: 'g', mkstream: true }],
];

/** Runs callers and faults side by side for so long, and ends the world. */
export async function soak(world: World, ms: number, print: (line: string) => void = () => {}): Promise<SoakReport> {
  const report: SoakReport = { calls: 0, failures: {}, faults: [] };
  const endsAt = performance.now() + ms;
  const isOver = () => performance.now() > endsAt;
  try {
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver()) await callOnce(world, report);
    });
    await Promise.all([...callers, disturb(world, isOver, print)]);
    await until(async () => (await world.connections()) <= 2 * CALLERS * COMMANDS.length);
    const before = await world.connections();
    await Promise.all(Array.from({ length: CALLERS }, () => callOnce(world, report)));
    if ((await world.connections()) > before + CALLERS) report.faults.push('connections leak');
  } finally {
    await world.stop();
  }
  return report;
}

/** One call, and where it failed, whether `retryable` was true. */
async function callOnce({ lambda }: World, report: SoakReport): Promise<void> {
  const [operation, parameters] = pick(COMMANDS)();
  const call = async () => {
    report.calls++;
    const timer = sleep(BOUND_MS, undefined, { ref: false }).then(() => undefined);
    const response = await Promise.race([
      lambda.post(`/stream/${operation}`, parameters, { timeoutMs: TIMEOUT_MS }),
      timer,
    ]);
    if (!response) report.faults.push(`${operation} hangs`);
    return response;
  };
  const first = await call();
  if (!first || first.status < 400) return;
  const { type, retryable } = first.json as { type: string; retryable: boolean };
  const name = `${type} ${first.status}`;
  report.failures[name] = (report.failures[name] ?? 0) + 1;
  if (!ALLOWED.has(name)) report.faults.push(`${operation}: ${first.text}`);
  if (!retryable) return;
  for (let attempt = 0; attempt < 30; attempt++) {
    await sleep(300);
    const again = await call();
    if (!again || again.status < 400 || !(again.json as { retryable: boolean }).retryable) return;
  }
  report.faults.push(`${operation}: ${name} is retryable, and no retry succeeded`);
}

/** One fault after the other. */
async function disturb({ faults }: World, isOver: () => boolean, print: (line: string) => void): Promise<void> {
  while (!isOver()) {
    await sleep(1000 + Math.random() * 1000);
    const name = pick(Object.keys(faults));
    print(name);
    await faults[name]!();
  }
}
