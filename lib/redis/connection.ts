import type { ConnectorError } from '../core/errors.ts';
import { Deadline } from '../core/deadline.ts';
import type { RedisConfig } from '../runtime/config.schema.ts';
import { Capabilities, lacking } from './capability.ts';
import { connectCluster } from './cluster.ts';
import { isStale, mapRedisError, replyTooLong, timeoutError } from './errors.ts';
import { serverOptions } from './options.ts';
import type { Capability, Reply } from './redis.ts';
import { connectMaster } from './sentinel.ts';
import { Timeouts } from './timeouts.ts';
import { connectServer, type Sendable, type Transport } from './server.ts';

/** After so long without a reply a connection is asked for a sign of life: the container may have been frozen. */
const PROBE_AFTER_IDLE_MS = 1000;
/** How long that sign may take: so little of a command's time that a new connection can still be made in it. */
const probeTimeoutMs = ({ commandTimeoutMs }: RedisConfig) => Math.min(500, commandTimeoutMs / 4);

/**
 * A connection in use. It ends for good when its socket ends, when a command runs into its bound (the socket may be
 * half open, and nothing else stops a command that was written), or when Redis says that it is the wrong one.
 */
export class Connection {
  readonly #config: RedisConfig;
  readonly #connecting: Promise<Transport>;
  readonly #capabilities = new Capabilities();
  readonly #timeouts = new Timeouts();
  #transport: Transport | undefined;
  #isOpen = true;
  #inFlight = 0;
  #lastReplyAt = Date.now();
  #probe: Promise<boolean> | undefined;

  constructor(config: RedisConfig) {
    this.#config = config;
    this.#connecting = connect(config, () => this.retire());
    this.#connecting.then(
      (transport) => (this.#transport = transport),
      () => (this.#isOpen = false),
    );
  }

  /** Whether it can take commands, as far as is known. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether it can take commands now. A connection that has rested proves it; callers at the same time share the proof. */
  isAlive(): boolean | Promise<boolean> {
    if (this.#probe) return this.#probe;
    const idleMs = Math.abs(Date.now() - this.#lastReplyAt); // a clock may have been set back while frozen
    if (!this.#isOpen || this.#inFlight > 0 || idleMs < PROBE_AFTER_IDLE_MS) return this.#isOpen;
    return (this.#probe = this.#prove().finally(() => (this.#probe = undefined)));
  }

  /** Ends it, and every command under way. */
  end(): void {
    this.#isOpen = false;
    this.#connecting.then((transport) => transport.destroy()).catch(() => {});
  }

  /** Takes no more commands, and ends once what is under way has its reply. */
  retire(): void {
    this.#isOpen = false;
    if (this.#inFlight === 0) this.end();
  }

  /**
   * Sends a command, and waits for its reply until then.
   *
   * @throws {ConnectorError} `STREAM:*`
   */
  send(command: Sendable, deadline: Deadline): Promise<Reply> {
    this.#inFlight++;
    return new Promise((resolve, reject) => {
      const giveUp = (error: ConnectorError) => {
        reject(error);
        this.end();
      };
      const timeout = this.#timeouts.add(deadline.at, () => giveUp(timeoutError()));
      const settle = () => {
        this.#timeouts.clear(timeout);
        this.#inFlight--;
        this.#lastReplyAt = Date.now();
        if (!this.#isOpen) this.retire();
      };
      const onReplyTooLong = () => giveUp(replyTooLong());
      this.#deliver(command, onReplyTooLong).then(
        (reply) => {
          settle();
          resolve(reply as Reply);
        },
        (cause: unknown) => {
          settle();
          const error = mapRedisError(cause, command.script);
          if (isStale(error)) this.end();
          reject(error);
        },
      );
    });
  }

  /**
   * Asks, once for this connection, whether its server has what a command needs.
   *
   * @throws {ConnectorError} `STREAM:COMMAND` 422 where it has not.
   */
  async require(capability: Capability, key: string, deadline: Deadline): Promise<void> {
    const send = (command: Sendable) => this.send(command, deadline);
    if (!(await this.#capabilities.has(capability, key, send))) throw lacking(capability);
  }

  #deliver(command: Sendable, onReplyTooLong: () => void): Promise<unknown> {
    if (this.#transport) return this.#transport.send(command, onReplyTooLong);
    return this.#connecting.then((transport) => transport.send(command, onReplyTooLong));
  }

  /**
   * Any reply is a sign of life, a refusal too; silence and a lost socket end the connection on their way. A cluster's
   * has several sockets to doubt: new ones cost less than asking all.
   */
  async #prove(): Promise<boolean> {
    if (this.#config.mode === 'cluster') this.end();
    else await this.send({ key: '', args: ['PING'] }, Deadline.after(probeTimeoutMs(this.#config))).catch(() => {});
    return this.#isOpen;
  }
}

async function connect(config: RedisConfig, onEnd: () => void): Promise<Transport> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(timeoutError()), config.connectTimeoutMs);
  try {
    switch (config.mode) {
      case 'standalone':
        return await connectServer(serverOptions(config.url!, config), onEnd, giveUp.signal);
      case 'cluster':
        return await connectCluster(config, onEnd, giveUp.signal);
      case 'sentinel':
        return await connectMaster(config, onEnd, giveUp.signal);
    }
  } finally {
    clearTimeout(timer);
  }
}
