import { quantile } from '../bench/rounds.ts';

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
