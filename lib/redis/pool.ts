import type { RedisConfig } from '../runtime/config.schema.ts';
import { Deadline } from '../core/deadline.ts';
import { Connection } from './connection.ts';
import type { Command, Reply } from './redis.ts';

/** The connections of one configuration, kept from one invocation of the container to the next. */
export class Pool {
  /** Configuration that the connections were made with. */
  readonly config: RedisConfig;
  /** Carries all commands that share a connection, any number at a time. */
  #shared: Connection | undefined;
  /** Connections for commands that need one to themselves: these wait for the next. */
  readonly #resting: Connection[] = [];
  #isRetired = false;

  constructor(config: RedisConfig) {
    this.config = config;
  }

  /**
   * Keeps no more connections: another configuration took this one's place. Commands under way get their replies, and
   * invocations that began with it can go on.
   */
  retire(): void {
    this.#isRetired = true;
    this.#shared?.retire();
    for (const connection of this.#resting.splice(0)) connection.end();
  }

  /**
   * Sends a command. One that blocks, or whose reply is bounded, has a connection to itself.
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
