/** A fault to plant in a copy of the sources: `find` stands there exactly once. */
export interface Planted {
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const SCRIPTS = 'lib/consumer/group/entry-scripts.ts';
const LEASES = 'lib/consumer/group/lease-scripts.ts';
const WINDOW = 'lib/consumer/window/window.ts';
const ORDER = 'lib/consumer/window/key-order.ts';

/** Twenty faults that the random worlds must find, each within sixty of them. */
export const PLANTED: readonly Planted[] = [
  {
    what: 'an entry is acknowledged when its attempt begins',
    file: WINDOW,
    find: 'this.keys.begin(pending);',
    replace: 'this.keys.begin(pending);\n      this.outcomes.taken(pending);',
  },
  {
    what: 'a body that was read is dropped now and then',
    file: WINDOW,
    find: 'for (const entry of entries) this.#add(entry, now);',
    replace: 'for (const entry of entries.slice(0, 9)) this.#add(entry, now);',
  },
  {
    what: 'a processed entry counts twice',
    file: WINDOW,
    find: 'this.#options.counts.processed += taken.length;',
    replace: 'this.#options.counts.processed += 2 * taken.length;',
  },
  {
    what: 'an acknowledgement that did not arrive is forgotten',
    file: 'lib/consumer/window/outcomes.ts',
    find: 'this.#taken = [...taken, ...this.#taken];',
    replace: '',
  },
  {
    what: 'every entry is a key of its own',
    file: 'lib/consumer/entry.ts',
    find: 'export function orderingKeyOf(',
    replace: 'export const orderingKeyOf = ({ id }: Entry, _names: unknown): string => id;\nexport function unused(',
  },
  {
    what: 'a lease that another run holds is taken',
    file: LEASES,
    find: "if redis.call('GET', KEYS[1]) then return {'held'} end",
    replace: '',
  },
  {
    what: 'a lease that was lost counts as renewed',
    file: LEASES,
    find: "or redis.call('EXISTS', KEYS[2]) == 0 then return 'lost' end",
    replace: "or redis.call('EXISTS', KEYS[2]) == 0 then return 'renewed' end",
  },
  {
    what: 'fences never expire',
    file: LEASES,
    find: "redis.call('XGROUP', 'CREATE', KEYS[2], ARGV[3], '$', 'MKSTREAM')\nredis.call('PEXPIRE', KEYS[2], ARGV[2])",
    replace: "redis.call('XGROUP', 'CREATE', KEYS[2], ARGV[3], '$', 'MKSTREAM')",
  },
  {
    what: 'a pause is not looked at',
    file: LEASES,
    find: "if redis.call('EXISTS', KEYS[4]) == 1 then return {'paused'} end",
    replace: '',
  },
  {
    what: 'entries whose bodies are there are acknowledged as deleted',
    file: SCRIPTS,
    find: "if #redis.call('XRANGE', KEYS[2], id, id) == 0 then\n    deleted",
    replace: 'if true then\n    deleted',
  },
  {
    what: 'a dead letter acknowledges nothing',
    file: SCRIPTS,
    find: "if redis.call('XACK', KEYS[2], ARGV[2], id) == 0 then",
    replace: "if redis.call('XPENDING', KEYS[2], ARGV[2])[1] == 0 then",
  },
  {
    what: 'failures of processed entries are kept',
    file: 'lib/consumer/group/redis-group.ts',
    find: 'items.filter(({ hasState }) => hasState)',
    replace: 'items.filter(() => false)',
  },
  {
    what: 'no enqueue wakes the consumer',
    file: 'lib/consumer/producer/wake.ts',
    find: 'if (keys.length === 0) return;',
    replace: 'if (keys.length >= 0) return;',
  },
  {
    what: 'a run out of time starts no successor',
    file: 'lib/consumer/consume.ts',
    find: 'if (run.needsSuccessor && startSuccessor) {',
    replace: 'if (run.needsSuccessor && startSuccessor && false) {',
  },
  {
    what: 'an outage is the fault of its entry',
    file: 'lib/consumer/targets/failure.ts',
    find: "return OUTAGE_STATUS.has(upstreamStatus ?? status) ? 'outage' : 'own';",
    replace: "return OUTAGE_STATUS.has(upstreamStatus ?? status) ? 'permanent' : 'own';",
  },
  {
    what: 'nothing waits before it is tried again',
    file: 'lib/consumer/window/pending-entry.ts',
    find: 'if (deliveries === 0) return 0;',
    replace: 'if (deliveries >= 0) return 0;',
  },
  {
    what: 'later entries of a key do not wait for a failed one',
    file: ORDER,
    find: 'if (pending.keyQueue.head === pending) this.#delayed.push(pending);',
    replace:
      'if (pending.keyQueue.head === pending) this.#delayed.push(pending);\n    if (pending.next?.place === \'behind\') this.#advance(pending.next, 0);', // prettier-ignore
  },
  {
    what: 'the rate holds nobody back',
    file: 'lib/consumer/group/rate.ts',
    find: "return {string.format('%d', calls), string.format('%.0f', due - now)}`",
    replace: "return {ARGV[1], '0'}`",
  },
  {
    what: 'superseded letters are put back',
    file: 'lib/consumer/dead-letters/move-letters.ts',
    find: "if not input.force and key and later[key] and later[key] > age then return 'superseded' end",
    replace: '',
  },
  {
    what: 'trimming takes what is not processed',
    file: 'lib/consumer/group/trim.ts',
    find: 'return oldestId ?? nextId(delivered as string);',
    replace: 'return nextId(delivered as string);',
  },
];
