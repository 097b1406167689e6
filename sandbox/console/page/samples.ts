import type { Sample } from './plots.ts';

/** Samples outlive a reload, by the port of the stack. */
const KEY = `console samples ${location.port}`;
const HOUR_S = 3600;
/** The samples of these last seconds are all kept; of older ones, one per STEP_S. */
const DETAILED_S = 300;
const STEP_S = 10;
const SAVED_EVERY_S = 5;

/** The samples of the last hour, as an earlier load of the page left them. */
export function readSamples(): readonly Sample[] {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) ?? '[]') as readonly Sample[];
    return saved.filter(({ at }) => at > Date.now() / 1000 - HOUR_S);
  } catch {
    return []; // another version wrote them, or the browser keeps nothing
  }
}

let savedAt = 0;

/** The samples with one more, those of the last hour. They are kept for the next load. */
export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const all = [...samples.filter(({ at }, index) => isKept(at, samples[index - 1]?.at ?? 0, next.at)), next];
  if (next.at - savedAt > SAVED_EVERY_S) {
    savedAt = next.at;
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
    } catch {
      // the browser keeps nothing
    }
  }
  return all;
}

function isKept(at: number, before: number, now: number): boolean {
  if (at < now - HOUR_S) return false;
  return at > now - DETAILED_S || Math.floor(at / STEP_S) !== Math.floor(before / STEP_S);
}
