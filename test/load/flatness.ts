import { median } from '../bench/rounds.ts';
import type { Sample } from './record.ts';

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
