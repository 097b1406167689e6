/*
 * The clock of a container that is wrong: by the first of these milliseconds, and set to the next after a while. The
 * monotonic clock goes on as it does.
 */
const SET_AFTER_MS = 700;
const clocksAheadMs = process.env.CLOCKS_AHEAD_MS.split(',').map(Number);
const RightDate = Date;
const rightNow = Date.now;
let at = 0;

globalThis.Date = class extends RightDate {
  static now() {
    return rightNow() + clocksAheadMs[at];
  }

  constructor(...args) {
    super(...(args.length === 0 ? [globalThis.Date.now()] : args));
  }
};
setInterval(() => (at = (at + 1) % clocksAheadMs.length), SET_AFTER_MS).unref();
