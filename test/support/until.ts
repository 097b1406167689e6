import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 15_000;

/** Asks again and again until the answer is yes; a failure counts as no. */
export async function until(ask: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + PATIENCE_MS;
  while (!(await ask().catch(() => false))) {
    if (performance.now() > endsAt) throw new Error(`Not within ${PATIENCE_MS} ms: ${String(ask)}`);
    await sleep(20);
  }
}
