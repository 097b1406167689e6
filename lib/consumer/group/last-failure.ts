import { hash } from 'node:crypto';
import type { Redis, Reply } from '../../redis/redis.ts';
import { stateKeyOf } from '../redis-keys.ts';
import type { Cause, Failed } from './group.ts';

/** Causes that a group remembers. A newer one may replace an older one. */
const MAX_CAUSES = 64;
/** Fields of the state per command. */
const PORTION = 1000;

/** An entry that waits for another try after a failure. */
export interface FailingEntry {
  readonly id: string;
  readonly own: number;
  readonly outages: number;
  /** Earliest time of the next attempt, in milliseconds since 1970. */
  readonly dueAt: number;
  /** Time and cause of the last failure; undefined if they are not known. */
  readonly at: number | undefined;
  readonly cause: Cause | undefined;
}

/** The words of a failed entry for the script that writes it: its cause, if known, and its counts. */
export function encodeFailed({ id, own, outages, dueAt, at, cause }: Failed): string[] {
  const counts = `${own},${outages},${Math.ceil(dueAt)}`;
  if (!cause || at === undefined) return [id, counts];
  const known = JSON.stringify(cause);
  const name = hash('sha256', known).slice(0, 8);
  return [fieldOf(name), JSON.stringify({ name, ...cause }), id, `${counts},${Math.floor(at)},${name}`];
}

/** The field of a cause: `f:0` to `f:63`. */
const fieldOf = (name: string) => `f:${Number.parseInt(name, 16) % MAX_CAUSES}`;

/** The field of the cause that an entry's state names, if it names one. */
export function causeFieldOf(counts: string): string | undefined {
  const name = counts.split(',')[4];
  return name === undefined ? undefined : fieldOf(name);
}

/** An entry's state as the scripts write it: `own,outages,due`, and since 1.1 `,at,cause`. */
export function decodeFailing(id: string, counts: string, causes: ReadonlyMap<string, string>): FailingEntry {
  const [own = '0', outages = '0', dueAt = '0', at, name = ''] = counts.split(',');
  const known = { id, own: Number(own), outages: Number(outages), dueAt: Number(dueAt) };
  return {
    ...known,
    at: at === undefined ? undefined : Number(at),
    cause: decodeCause(causes.get(fieldOf(name)), name),
  };
}

/** Undefined if another cause has its place. */
function decodeCause(text: string | undefined, wanted: string): Cause | undefined {
  if (text === undefined) return undefined;
  const { name, type, detail, target } = JSON.parse(text) as Cause & { name: string };
  return name === wanted ? { type, detail, target } : undefined;
}

/** The entries of a group that wait after a failure; at most 10,000, as many as the state holds. */
export async function readFailing(redis: Redis, stream: string, group: string): Promise<FailingEntry[]> {
  const key = stateKeyOf(stream, group);
  const counts = new Map<string, string>();
  const causes = new Map<string, string>();
  let cursor = '0';
  do {
    const args = ['HSCAN', key, cursor, 'COUNT', String(PORTION)];
    const [next, fields] = await redis.send({ key, args, decode: (reply: Reply) => reply as [string, string[]] });
    for (let at = 0; at < fields.length; at += 2) {
      const [name = '', value = ''] = fields.slice(at, at + 2);
      if (name.startsWith('e:')) counts.set(name.slice(2), value);
      else if (name.startsWith('f:')) causes.set(name, value);
    }
    cursor = next;
  } while (cursor !== '0');
  return Array.from(counts, ([id, value]) => decodeFailing(id, value, causes));
}
