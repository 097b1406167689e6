import { setImmediate as turn } from 'node:timers/promises';

/** Waits for a whole turn of the event loop: by then, earlier writes are sent and pending events are handled. */
export async function wholeTurn(): Promise<void> {
  await turn(); // the rest of this turn
  await turn();
}
