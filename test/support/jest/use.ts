import { afterAll } from '@jest/globals';

type Started = { stop(): unknown } | { close(): unknown } | { remove(): unknown } | { end(): unknown };

const started: Started[] = [];
afterAll(stopAll);

/** What was started last goes first: it may need what was there before it. */
async function stopAll(): Promise<void> {
  for (const one of started.splice(0).reverse()) {
    if ('stop' in one) await one.stop();
    else if ('close' in one) await one.close();
    else await ('remove' in one ? one.remove() : one.end());
  }
}

/**
 * Starts what a test file needs from its beginning to its end.
 *
 * @example
 * const redis = await use(startRedisServer());
 */
export async function use<T extends Started>(starting: T | Promise<T>): Promise<T> {
  try {
    const one = await starting;
    started.push(one);
    return one;
  } catch (error) {
    await stopAll(); // no hook runs where a file cannot be read to its end
    throw error;
  }
}
