import type { RedisConfig } from '../config/config.schema.ts';
import { Deadline } from '../core/deadline.ts';
import { Connection } from './connection.ts';
import type { Command, Reply } from './redis.ts';
import { slotOf } from './slot.ts';

/** The connections of one configuration, which a container keeps from one invocation to the next. */
export class Pool {
  /** The configuration of the connections. */
  readonly config: RedisConfig;
  /** The slot of a key; 0 outside a cluster. */
  readonly slotOf: (key: string) => number;
  /** The shared connection, which carries any number of commands at a time. */
  #shared: Connection | undefined;
  /** Former shared connections that await replies. */
  #replaced: Connection[] = [];
  /** Unused connections for commands that need their own. */
  readonly #resting: Connection[] = [];
  #isRetired = false;

  constructor(config: RedisConfig) {
    this.config = config;
    this.slotOf = config.mode === 'cluster' ? slotOf : () => 0;
  }

  /**
   * Keeps no more connections, because another configuration replaced this one. Commands in flight get their replies,
   * and running invocations can go on.
   */
  retire(): void {
    this.#isRetired = true;
    this.#shared?.retire();
    for (const connection of this.#resting.splice(0)) connection.end();
  }

  /**
   * Sends a command. A command that blocks, or whose reply has a limit, gets its own connection.
   *
   * @throws {ConnectorError} `STREAM:*`
   */
  send(command: Command<unknown>, budget: Deadline): Promise<Reply> {
    const needsOwn = command.blockMs !== undefined || command.maxReplyBytes !== undefined;
    return needsOwn ? this.#sendAlone(command, budget) : this.#sendShared(command, budget);
  }

  /**
   * It waits here and nowhere else, so that no reply takes more turns than another on the way to its caller: replies
   * that arrive together keep their order.
   */
  async #sendShared(command: Command<unknown>, budget: Deadline): Promise<Reply> {
    const isAlive = this.#shared?.isAlive();
    if (isAlive instanceof Promise) await isAlive;
    let shared = this.#openShared();
    for (let earlier = this.#earlierOf(command); earlier.length > 0; earlier = this.#earlierOf(command)) {
      await Promise.allSettled(earlier);
      shared = this.#openShared();
    }
    const reply = sendOn(shared, command, budget);
    if (this.#isRetired) shared.retire();
    return reply;
  }

  #openShared(): Connection {
    if (this.#shared?.isOpen) return this.#shared;
    if (this.#shared) this.#replaced.push(this.#shared);
    return (this.#shared = new Connection(this.config));
  }

  /**
   * What callers of earlier commands of the same slot wait for, on connections that were replaced. Two reads of a
   * stream must not change places: while one node of a cluster is away, the others still reply on the former
   * connection. Nor may a read follow one whose reply was lost before that is known: the lost entries come first.
   */
  #earlierOf({ key }: Command<unknown>): Promise<Reply>[] {
    if (this.#replaced.length === 0) return [];
    const slot = this.slotOf(key);
    this.#replaced = this.#replaced.filter((connection) => connection.isBusy);
    return this.#replaced.flatMap((connection) => connection.repliesTo((sent) => this.slotOf(sent) === slot));
  }

  async #sendAlone(command: Command<unknown>, budget: Deadline): Promise<Reply> {
    const rested = this.#resting.pop();
    const connection = rested && (await rested.isAlive()) ? rested : new Connection(this.config);
    try {
      return await sendOn(connection, command, budget);
    } finally {
      if (this.#isRetired) connection.end();
      else if (connection.isOpen) this.#resting.push(connection);
    }
  }
}

function sendOn(connection: Connection, command: Command<unknown>, budget: Deadline): Promise<Reply> {
  const { needs, key } = command;
  if (!needs) return connection.send(command, budget);
  return connection.require(needs, key, budget).then(() => connection.send(command, budget));
}
