import type { Buffer } from 'node:buffer';

/** What Redis answers over RESP2; integers arrive as text, so that 64 bits stay exact. */
export type Reply = string | null | Reply[];

/**
 * One Redis command, as pure data: what to send, where, and what its reply means.
 *
 * Commands are written out here rather than through the client's typed methods, because those drop falsy options,
 * lose fields named `__proto__` and throw on deleted pending entries (redis 6.3.1).
 */
export interface Command<T> {
  /** The words on the wire. */
  readonly args: readonly (string | Buffer)[];
  /** The key that decides the node in a cluster. */
  readonly key: string;
  /** Whether a replica could answer it. */
  readonly readOnly?: boolean;
  /** Milliseconds that the server may hold the command (BLOCK). */
  readonly blockMs?: number;
  /** Turns the reply into the result. */
  decode(reply: Reply): T;
}

/** A connection to Redis, standalone, cluster or sentinel alike. */
export interface Redis {
  /**
   * Sends one command and waits for its reply: at most `commandTimeoutMs` of the configuration (plus the command's
   * own blocking time), and never past the invocation's deadline.
   *
   * @throws {ConnectorError} `STREAM:*`; 503 when Redis is out of reach, 504 when it does not answer in time.
   */
  send<T>(command: Command<T>): Promise<T>;
}
