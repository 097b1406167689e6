import { median, quantile } from '#test/bench/rounds.ts';

/** Length of a sample, in milliseconds. */
export const SAMPLE_MS = 5_000;

/** What was seen in one stretch of time. */
export interface Sample {
  /** Its end, in minutes from the start. */
  readonly minute: number;
  readonly calls: number;
  /** Of the calls that succeeded. */
  readonly p99: number;
  /** Memory of the functions' process, in MB of 10⁶ bytes. */
  readonly memoryMb: number;
}

const TYPED = /^(MDM|STREAM|CONNECTOR):[A-Z_]+$/;

/** What became of all calls. */
export class CallRecord {
  /** Times of successful calls by route, in milliseconds. */
  readonly times = new Map<string, number[]>();
  /** Failures by type, and how many. */
  readonly failures = new Map<string, number>();
  /** Failures that no caller could distinguish by a type; the first few. */
  readonly untyped: string[] = [];
  readonly samples: Sample[] = [];
  #recent: number[] = [];

  succeeded(route: string, ms: number): void {
    const times = this.times.get(route) ?? [];
    this.times.set(route, times);
    times.push(ms);
    this.#recent.push(ms);
  }

  failed(route: string, status: number, text: string): void {
    const type = typeOf(text);
    this.failures.set(type, (this.failures.get(type) ?? 0) + 1);
    const isTyped = TYPED.test(type) && type !== 'CONNECTOR:INTERNAL';
    if (!isTyped && this.untyped.length < 10) this.untyped.push(`${route}: ${status} ${text.slice(0, 300)}`);
  }

  sample(minute: number, memoryMb: number): void {
    const p99 = this.#recent.length > 0 ? quantile(this.#recent, 0.99) : NaN;
    this.samples.push({ minute, calls: this.#recent.length, p99, memoryMb });
    this.#recent = [];
  }
}

function typeOf(text: string): string {
  try {
    return String((JSON.parse(text) as { type?: unknown }).type);
  } catch {
    return 'not JSON';
  }
}

/** A value may grow by so much from the first third of the undisturbed samples to the last, and counts as flat. */
export const FLAT = 1.25;

export interface Outage {
  readonly what: 'Redis' | 'MDM';
  /** In minutes from the start. */
  readonly from: number;
  readonly to: number;
}

/**
 * How much p99 and memory grow: the median of the last third of the samples over that of the first, those left out that
 * an outage or the first minute, when everything is compiled, has a part in.
 */
export function growthOf(samples: readonly Sample[], outages: readonly Outage[], settledMinutes: number) {
  const isCalm = ({ minute }: Sample) =>
    minute > settledMinutes && outages.every(({ from, to }) => minute < from || minute > to + settledMinutes);
  const calm = samples.filter(isCalm);
  const third = Math.max(1, Math.floor(calm.length / 3));
  const growth = (value: (sample: Sample) => number) =>
    median(calm.slice(-third).map(value)) / median(calm.slice(0, third).map(value));
  return { p99: growth(({ p99 }) => p99), memory: growth(({ memoryMb }) => memoryMb) };
}
