import { setImmediate as turn } from 'node:timers/promises';

/** Waits for a whole turn of the event loop: by its end what was begun before has left, and what has happened is known. */
export async function wholeTurn(): Promise<void> {
  await turn(); // the rest of this one
  await turn();
}
