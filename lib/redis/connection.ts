import { ErrorReply } from 'redis';
import { beforeSending, ConnectorError, type Outcome } from '../core/errors.ts';
import { Deadline } from '../core/deadline.ts';
import { startTimer } from '../core/timer.ts';
import { wholeTurn } from '../core/turn.ts';
import type { RedisConfig } from '../config/config.schema.ts';
import { Capabilities, lacking } from './capability.ts';
import { connectCluster } from './cluster.ts';
import { isStale, mapRedisError, replyTooLong } from './errors.ts';
import { serverOptions } from './options.ts';
import type { Capability, Reply } from './redis.ts';
import { connectMaster } from './sentinel.ts';
import { connectServer, type Connecting, type Sendable, type Transport } from './server.ts';
import { explain, lateReply, type Peer } from './unreached.ts';

/** A connection idle for longer is checked before use: the container may have been frozen. */
const PROBE_AFTER_IDLE_MS = 1000;
/** Time for that check: short enough that a command's time still suffices for a new connection. */
const probeTimeoutMs = ({ commandTimeoutMs }: RedisConfig) => Math.min(500, commandTimeoutMs / 4);

/** A command in flight: its caller knows no result, or the client has not done with it. */
interface Sending {
  readonly key: string;
  /** What its caller waits for. */
  readonly reply: Promise<Reply>;
  /** What it did if no reply comes. */
  outcome: Outcome;
  /** Whether its caller was told that it failed. It must then not be sent any more. */
  isOver: boolean;
}

/**
 * A connection in use. It takes no more commands when its socket ends, when a command times out (the socket may be half
 * open, and only its end stops a written command), or when Redis reports that it is the wrong server.
 */
export class Connection {
  readonly #config: RedisConfig;
  readonly #connecting: Promise<Transport>;
  readonly #capabilities = new Capabilities();
  readonly #giveUp = new AbortController();
  readonly #target: Connecting = { onEnd: () => this.retire(), signal: this.#giveUp.signal };
  #transport: Transport | undefined;
  #hasReplied = false;
  #isOpen = true;
  readonly #inFlight = new Set<Sending>();
  #lastReplyAt = Date.now();
  #probe: Promise<boolean> | undefined;

  constructor(config: RedisConfig) {
    this.#config = config;
    this.#connecting = connect(config, this.#target, this.#giveUp);
    this.#connecting.then(
      (transport) => (this.#transport = transport),
      () => (this.#isOpen = false),
    );
  }

  /** Whether it can take commands, as far as known. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether it can take commands now. Checks an idle connection; concurrent callers share the check. */
  isAlive(): boolean | Promise<boolean> {
    if (this.#probe) return this.#probe;
    const idleMs = Math.abs(Date.now() - this.#lastReplyAt); // the clock may have been set back during a freeze
    if (!this.#isOpen || this.isBusy || idleMs < PROBE_AFTER_IDLE_MS) return this.#isOpen;
    this.#probe = this.#prove();
    void this.#probe.then(() => (this.#probe = undefined)); // first: those that wait for it go before all later ones
    return this.#probe;
  }

  /** Ends it and every command in flight. */
  end(): void {
    this.#isOpen = false;
    this.#connecting.then((transport) => transport.destroy()).catch(() => {});
  }

  /** Takes no more commands, and ends after those in flight. */
  retire(): void {
    this.#isOpen = false;
    if (!this.isBusy) this.end();
  }

  /** Whether commands are in flight. */
  get isBusy(): boolean {
    return this.#inFlight.size > 0;
  }

  /** What callers of commands in flight with such a key still wait for. */
  repliesTo(isMeant: (key: string) => boolean): Promise<Reply>[] {
    return [...this.#inFlight].filter(({ key, isOver }) => !isOver && isMeant(key)).map(({ reply }) => reply);
  }

  /**
   * Sends a command and waits for its reply, until the given time.
   *
   * @throws {ConnectorError} `STREAM:*`
   */
  send(command: Sendable, deadline: Deadline): Promise<Reply> {
    const { promise: reply, resolve, reject } = Promise.withResolvers<Reply>();
    const sending: Sending = { key: command.key, reply, outcome: 'not-sent', isOver: false };
    this.#inFlight.add(sending);
    const giveUp = (error: ConnectorError) => {
      sending.isOver = true;
      reject(error);
      void this.#abandon(command, sending);
    };
    const late = () => giveUp(this.#lateReply(command, sending));
    const cancel = startTimer(Math.max(1, deadline.remainingMs()), late, { keepsAlive: false });
    const settle = () => {
      cancel();
      this.#inFlight.delete(sending);
      this.#lastReplyAt = Date.now();
      if (!this.#isOpen) this.retire();
    };
    const onReplyTooLong = () => giveUp(replyTooLong());
    this.#deliver(command, sending, onReplyTooLong).then(
      (received) => {
        this.#hasReplied = true;
        settle();
        resolve(received as Reply);
      },
      async (cause: unknown) => {
        this.#hasReplied ||= cause instanceof ErrorReply;
        if (sending.isOver) return settle();
        const error = await this.#explain(cause, command, sending); // in flight, and in time, until its caller knows
        settle();
        if (isStale(error)) this.retire();
        reject(error);
      },
    );
    return reply;
  }

  /** The error of a failed command. If its connection ended before any reply, the server may be of another kind. */
  #explain(cause: unknown, command: Sendable, { outcome }: Sending): ConnectorError | Promise<ConnectorError> {
    const { script } = command;
    const peer = this.#peerOf(command);
    const isRefusal = cause instanceof ErrorReply || cause instanceof ConnectorError;
    if (!isRefusal && !this.#hasReplied && peer) return explain(cause, peer, outcome);
    return mapRedisError(cause, { script, outcome, peer, isStandalone: this.#config.mode === 'standalone' });
  }

  /** A server alone may not have said a word yet: without a login, the first command is the first that it hears. */
  #lateReply(command: Sendable, { outcome }: Sending): ConnectorError {
    const hasSpoken = this.#config.mode !== 'standalone' && this.#transport !== undefined;
    return lateReply(this.#peerOf(command), this.#hasReplied || hasSpoken, outcome);
  }

  #peerOf({ key }: Sendable): Peer | undefined {
    return this.#transport?.peerOf?.(key) ?? this.#target.peer;
  }

  /**
   * Checks, once per connection, that the server has what a command needs.
   *
   * @throws {ConnectorError} `STREAM:COMMAND` 422 if it does not.
   */
  async require(capability: Capability, key: string, deadline: Deadline): Promise<void> {
    const send = (command: Sendable) => this.send(command, deadline);
    const hasIt = await this.#capabilities.has(capability, key, send).catch((error: unknown) => {
      throw beforeSending(error);
    });
    if (!hasIt) throw lacking(capability);
  }

  /** A reply takes as many turns to its caller whether or not its command waited for the connection. */
  async #deliver(command: Sendable, sending: Sending, onReplyTooLong: () => void): Promise<unknown> {
    if (command.transaction) return this.#transact(command, sending);
    const transport = this.#transport ?? (await this.#connecting);
    if (sending.isOver) throw this.#lateReply(command, sending);
    sending.outcome = 'unknown';
    return transport.send(command, onReplyTooLong);
  }

  /**
   * Runs a transaction, after one that writes nothing. Without the right to MULTI, Redis would run the commands one by
   * one; without the right to EXEC, it would queue everything that follows on the connection.
   */
  async #transact(command: Sendable, sending: Sending): Promise<unknown> {
    const transport = await this.#connecting;
    await transport.send({ ...command, transaction: [['PING']] }).catch((error: unknown) => {
      void this.#abandon(command, sending);
      throw error;
    });
    if (sending.isOver) throw this.#lateReply(command, sending);
    sending.outcome = 'unknown';
    return transport.send(command);
  }

  /**
   * Takes no more commands, and ends what this one was sent on. The other nodes of a cluster may still answer theirs,
   * unless the command is between two nodes: then only the end of all stops it.
   */
  async #abandon({ key }: Sendable, sending: Sending): Promise<void> {
    if (!this.#transport?.destroyNode) return this.end();
    this.#transport.destroyNode(key);
    this.retire();
    await wholeTurn();
    if (this.#inFlight.has(sending)) this.end();
  }

  /**
   * Any reply proves that a connection works, even a refusal; silence or a lost socket ends it. The connection of a
   * cluster has several sockets, and new ones cost less than checking all.
   */
  async #prove(): Promise<boolean> {
    if (this.#config.mode === 'cluster') this.end();
    else await this.send({ key: '', args: ['PING'] }, Deadline.after(probeTimeoutMs(this.#config))).catch(() => {});
    return this.#isOpen;
  }
}

async function connect(config: RedisConfig, connecting: Connecting, giveUp: AbortController): Promise<Transport> {
  const timer = setTimeout(() => giveUp.abort(), config.connectTimeoutMs);
  try {
    switch (config.mode) {
      case 'standalone':
        return await connectServer(serverOptions(config.url!, config), connecting);
      case 'cluster':
        return await connectCluster(config, connecting);
      case 'sentinel':
        return await connectMaster(config, connecting);
    }
  } finally {
    clearTimeout(timer);
  }
}
