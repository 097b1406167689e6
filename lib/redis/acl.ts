import { ConnectorError } from '../core/errors.ts';
import type { Redis, Reply } from './redis.ts';

/** A call that a user must be allowed. */
export interface NeededCall {
  /** The command as an ACL names it: `xinfo|groups`. */
  readonly right: string;
  /** The key that it touches, if it has one. */
  readonly key: string;
}

/** What the user lacks: the command, or the key. */
export type Lack = NeededCall & { readonly kind: 'command' | 'key' };

/** The words after each command, of a call that its arity allows. */
const WORDS: Readonly<Record<string, string>> = {
  'acl|dryrun': 'default ping',
  del: 'KEY',
  eval: '- 1 KEY',
  eval_ro: '- 1 KEY',
  evalsha: '- 1 KEY',
  exec: '',
  exists: 'KEY',
  get: 'KEY',
  hdel: 'KEY f',
  hexists: 'KEY f',
  hget: 'KEY f',
  hincrby: 'KEY f 1',
  hlen: 'KEY',
  hmget: 'KEY f',
  hscan: 'KEY 0',
  hset: 'KEY f v',
  hsetnx: 'KEY f v',
  info: '',
  multi: '',
  pexpire: 'KEY 1',
  pttl: 'KEY',
  set: 'KEY v',
  time: '',
  xack: 'KEY g 1-1',
  xadd: 'KEY * f v',
  xautoclaim: 'KEY g c 0 0-0',
  xclaim: 'KEY g c 0 1-1',
  xdel: 'KEY 1-1',
  'xgroup|create': 'KEY g $',
  'xgroup|createconsumer': 'KEY g c',
  'xgroup|delconsumer': 'KEY g c',
  'xgroup|destroy': 'KEY g',
  'xgroup|setid': 'KEY g $',
  'xinfo|consumers': 'KEY g',
  'xinfo|groups': 'KEY',
  'xinfo|stream': 'KEY',
  xlen: 'KEY',
  xpending: 'KEY g',
  xrange: 'KEY - +',
  xread: 'STREAMS KEY 0',
  xreadgroup: 'GROUP g c STREAMS KEY >',
  xrevrange: 'KEY + -',
  xtrim: 'KEY MAXLEN 1',
};

/**
 * What a user lacks for these calls. Nothing is carried out: ACL DRYRUN answers.
 *
 * @throws {ConnectorError} `STREAM:*`; with the code NOPERM if the user may not ask, and ERR if the server cannot
 *   answer
 */
export async function findLacks(redis: Redis, user: string, calls: readonly NeededCall[]): Promise<Lack[]> {
  const found = await Promise.all(
    calls.map(async (call): Promise<Lack | undefined> => {
      const words = (WORDS[call.right] ?? 'KEY').split(' ').filter((word) => word !== '');
      const args = [...call.right.split('|'), ...words.map((word) => (word === 'KEY' ? call.key : word))];
      const reply = await redis.send({ key: call.key, args: ['ACL', 'DRYRUN', user, ...args], decode: String });
      if (/permissions to run the /.test(reply)) return { ...call, kind: 'command' };
      return /permissions to access the /.test(reply) ? { ...call, kind: 'key' } : undefined;
    }),
  );
  return found.filter((lack) => lack !== undefined);
}

/** Whether an error says that a command cannot be used: the user lacks the right, or the server the command. */
export function isUnavailable(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && (error.upstreamCode === 'NOPERM' || error.upstreamCode === 'ERR');
}

/** The members of an INFO reply. */
export function decodeInfo(reply: Reply): Record<string, string> {
  const lines = String(reply).split('\r\n');
  return Object.fromEntries(
    lines.filter((line) => /^[^#:]+:/.test(line)).map((line) => splitAt(line, line.indexOf(':'))),
  );
}

const splitAt = (line: string, at: number): [string, string] => [line.slice(0, at), line.slice(at + 1)];
