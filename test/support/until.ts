import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until the answer is yes, for 90 s unless said otherwise, which a busy machine
 * keeps; a failure counts as no.
 */
export async function until(ask: () => Promise<boolean>, patienceMs = 90_000): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  while (!(await ask().catch(() => false))) {
    if (performance.now() > endsAt) throw new Error(`Not within ${patienceMs} ms: ${String(ask)}`);
    await sleep(20);
  }
}
