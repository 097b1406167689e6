import type { Buffer } from 'node:buffer';

/** A reply over RESP2. Integers arrive as text, so that 64 bits stay exact. */
export type Reply = string | Buffer | null | Reply[];

/** The text of a `.lua` file, and the commands whose rights its Redis user needs. */
export interface Lua {
  readonly source: string;
  /** Such as `xadd` and `xinfo|groups`. */
  readonly rights: readonly string[];
}

/** A command or an option that not every server has. */
export interface Capability {
  /** The first version with it: `Redis 8.2`. */
  readonly since: string;
  readonly command: string;
  /** The option's word. Without one, the command itself is optional. */
  readonly option?: string;
}

/**
 * One Redis command as pure data: what to send, where, and what its reply means.
 *
 * It does not use the client's typed methods, because those drop falsy options, lose fields named `__proto__` and throw
 * on deleted pending entries (redis 6.3.1).
 */
export interface Command<T> {
  /** The words on the wire. */
  readonly args: readonly (string | Buffer)[];
  /** Commands to run in one MULTI instead of `args`; the reply is the list of their replies. */
  readonly transaction?: readonly (readonly (string | Buffer)[])[];
  /** The script in `args`, so that an error for a missing right can name those that it needs. */
  readonly script?: Lua;
  /** The key that decides the node in a cluster. */
  readonly key: string;
  /** Milliseconds that the server may block the command (BLOCK, never 0). Such a command gets its own connection. */
  readonly blockMs?: number;
  /** Which texts of the reply stay bytes: all, or those that are not UTF-8. Default: none; all are read as UTF-8. */
  readonly asBytes?: boolean | 'not-utf8';
  /** Maximum bytes of the reply; a longer one ends the command's own connection (`isReplyTooLong`). */
  readonly maxReplyBytes?: number;
  /** The optional command or option that it needs. Servers without it refuse the command. */
  readonly needs?: Capability;
  /** Turns the reply into the result. */
  decode(reply: Reply): T;
}

/** A connection to Redis: standalone, cluster or Sentinel. */
export interface Redis {
  /**
   * Sends one command and waits for its reply, for at most `commandTimeoutMs` (plus the command's own blocking time),
   * connecting included, and never past the invocation's deadline. Commands of one slot reach Redis in the order in
   * which they were sent, but for those with `blockMs`, `maxReplyBytes` or `needs`.
   *
   * @throws {ConnectorError} `STREAM:*`; 503 if Redis is out of reach, 504 if it does not reply in time. After either,
   *   the command may have run.
   */
  send<T>(command: Command<T>): Promise<T>;
  /** The slot of a key. A command may name only keys of one slot. Outside a cluster every key has slot 0. */
  slotOf(key: string): number;
}
