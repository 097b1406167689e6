import type { RedisConfig } from '../config/config.schema.ts';
import { Deadline } from '../core/deadline.ts';
import { Connection } from './connection.ts';
import type { Command, Reply } from './redis.ts';

/** The connections of one configuration, which a container keeps from one invocation to the next. */
export class Pool {
  /** The configuration of the connections. */
  readonly config: RedisConfig;
  /** The shared connection, which carries any number of commands at a time. */
  #shared: Connection | undefined;
  /** Unused connections for commands that need their own. */
  readonly #resting: Connection[] = [];
  #isRetired = false;

  constructor(config: RedisConfig) {
    this.config = config;
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

  #sendShared(command: Command<unknown>, budget: Deadline): Promise<Reply> {
    const isAlive = this.#shared?.isAlive();
    return isAlive instanceof Promise
      ? isAlive.then(() => this.#sendNow(command, budget))
      : this.#sendNow(command, budget);
  }

  #sendNow(command: Command<unknown>, budget: Deadline): Promise<Reply> {
    if (!this.#shared?.isOpen) this.#shared = new Connection(this.config);
    const reply = sendOn(this.#shared, command, budget);
    if (this.#isRetired) this.#shared.retire();
    return reply;
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
