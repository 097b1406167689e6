import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is yes; a failure counts as no. */
export async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask().catch(() => false))) await sleep(20);
}
