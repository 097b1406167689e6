import type { Buffer } from 'node:buffer';

/** What Redis replies over RESP2; integers arrive as text, so that 64 bits stay exact. */
export type Reply = string | Buffer | null | Reply[];

/** A command or an option that not every server has. */
export interface Capability {
  /** Where it came: `Redis 8.2`. */
  readonly since: string;
  readonly command: string;
  /** The word of the option; left out, the command itself is what not every server has. */
  readonly option?: string;
}

/**
 * One Redis command, as pure data: what to send, where, and what its reply means.
 *
 * Commands are written out here rather than through the client's typed methods, because those drop falsy options,
 * lose fields named `__proto__` and throw on deleted pending entries (redis 6.3.1).
 */
export interface Command<T> {
  /** The words on the wire. */
  readonly args: readonly (string | Buffer)[];
  /** Commands to run in one MULTI, in place of `args`; their replies make a list. */
  readonly transaction?: readonly (readonly (string | Buffer)[])[];
  /** Text of the script that `args` run: an error of a right that it lacks names the rights that it needs. */
  readonly script?: string;
  /** The key that decides the node in a cluster. */
  readonly key: string;
  /** Milliseconds that the server may hold the command (BLOCK, never 0). Such a command has a connection to itself. */
  readonly blockMs?: number;
  /** Whether texts of the reply are kept as bytes. Default: read as UTF-8. */
  readonly asBytes?: boolean;
  /**
   * Most bytes that the reply may have; a longer one ends the connection and the command (`isReplyTooLong`). Such a
   * command has a connection to itself.
   */
  readonly maxReplyBytes?: number;
  /** What it needs, where not every server has it. Others refuse it by that. */
  readonly needs?: Capability;
  /** Turns the reply into the result. */
  decode(reply: Reply): T;
}

/** A connection to Redis, standalone, cluster or sentinel alike. */
export interface Redis {
  /**
   * Sends one command and waits for its reply: at most `commandTimeoutMs` of the configuration (plus the command's
   * own blocking time), connecting included, and never past the invocation's deadline.
   *
   * @throws {ConnectorError} `STREAM:*`; 503 when Redis is out of reach, 504 when it does not reply in time. After
   *   either, whether the command ran is unknown.
   */
  send<T>(command: Command<T>): Promise<T>;
  /** Which keys one command may name together: those of the same slot. Outside a cluster all are in slot 0. */
  slotOf(key: string): number;
}
