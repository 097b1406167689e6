import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '#lib/consumer/clock.ts';
import type { Command, Redis, Reply } from '#lib/redis/redis.ts';

/** What the server replied to a command, or how it refused it. */
export type Heard = { readonly reply: Reply } | { readonly error: unknown };

/** What can happen to an actor. */
export type Event =
  | { readonly what: 'command'; readonly heard: Heard; readonly said: string }
  | { readonly what: 'response'; readonly call: number; readonly ms: number }
  /** So much time passes for it; without a number: until the first thing that it waits for. */
  | { readonly what: 'time'; readonly ms?: number }
  | { readonly what: 'crash' | 'stop' }
  /** It continues after a stop of this length: the time comes first, or what it was told. */
  | { readonly what: 'resume'; readonly ms: number; readonly isTimeFirst: boolean };

/** What an actor does other than send commands. */
export type Deed =
  | { readonly what: 'takes'; readonly stream: string; readonly entry: number }
  | { readonly what: 'starts'; readonly run: string }
  | { readonly what: 'fails'; readonly error: string };

/** A command on its way to the server: the same words whenever the actor is played. */
export interface Sent {
  readonly words: readonly string[];
  readonly text: string;
  readonly command: Command<unknown>;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

const EPOCH_MS = 1_700_000_000_000;
const TOKEN = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const QUIET_TURNS = 3;

/**
 * A process whose surroundings are in the hands of the explorer: its commands wait until they are executed, its clock
 * stands until it is moved, and what it is told waits while it is stopped.
 */
export class Actor {
  readonly name: string;
  /** `stopped`: it keeps its state, and hears nothing. */
  state: 'working' | 'stopped' | 'crashed' | 'ended' = 'working';
  now = 0;
  /** Calls to the target that have no response yet. */
  readonly calls = new Map<number, () => void>();
  /** What it did since it was last asked. */
  deeds: Deed[] = [];
  /** What it did by itself so far: while that grows, it is not at rest. */
  activity = 0;
  /** In the order of its one connection. */
  #sent: (Sent & { readonly hear: (reply: Reply) => void; readonly fail: (error: unknown) => void })[] = [];
  #timers: Timer[] = [];
  /** What it was not told yet. */
  #untold: (() => void)[] = [];
  #calls = 0;
  readonly #tokens: string[] = [];

  constructor(name: string) {
    this.name = name;
  }

  readonly clock: Clock = {
    now: () => this.now,
    epochMs: () => EPOCH_MS + this.now,
    timer: (ms, callback) => {
      this.activity++;
      const timer = { at: this.now + ms, callback };
      this.#timers.push(timer);
      return () => (this.#timers = this.#timers.filter((other) => other !== timer));
    },
  };

  readonly redis: Redis = {
    slotOf: () => 0,
    send: (command) => {
      this.activity++;
      return new Promise<Reply>((resolve, fail) => {
        const words = this.#encode(command);
        this.#sent.push({ command, words, text: words.join(' '), hear: (reply) => resolve(reply), fail });
      }).then((reply) => command.decode(reply));
    },
  };

  get sent(): readonly Sent[] {
    return this.#sent;
  }

  /** Whether it was told something that it did not hear. */
  get isDeaf(): boolean {
    return this.#untold.length > 0;
  }

  /** When the first thing comes that it waits for. */
  get nextTime(): number {
    return Math.min(...this.#timers.map(({ at }) => at));
  }

  /** Begins its work, and returns when it rests. */
  async begin(work: (actor: this) => Promise<void>): Promise<void> {
    work(this).then(
      () => (this.state = 'ended'),
      (error: unknown) => {
        this.state = 'ended';
        this.do({ what: 'fails', error: String(error) });
      },
    );
    await this.#rest();
  }

  /** Calls the target: its response is an event. */
  call(signal: AbortSignal): Promise<void> {
    const number = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.calls.set(number, resolve);
      signal.addEventListener('abort', () => {
        this.calls.delete(number);
        reject(new Error('aborted'));
      });
    });
  }

  do(deed: Deed): void {
    this.activity++;
    this.deeds.push(deed);
  }

  /** Something happens to it. Returns when it rests. */
  async meet(event: Event): Promise<void> {
    if (event.what === 'command') this.#hear(event.heard);
    else if (event.what === 'response') this.#pass(event.ms, this.#responseOf(event.call));
    else if (event.what === 'time') this.#pass(event.ms ?? Math.max(0, this.nextTime - this.now));
    else if (event.what === 'resume') this.#resume(event.ms, event.isTimeFirst);
    else this.#end(event.what);
    await this.#rest();
  }

  #hear(heard: Heard): void {
    const { command, hear, fail } = this.#sent.shift()!;
    if ('error' in heard) return this.#tell(() => fail(heard.error));
    this.#pass(heard.reply === null ? (command.blockMs ?? 0) : 0, () => hear(this.#decode(heard.reply)));
  }

  #responseOf(call: number): () => void {
    const respond = this.calls.get(call)!;
    this.calls.delete(call);
    return respond;
  }

  /** Time passes, and something happens at the end of that. */
  #pass(ms: number, happen: () => void = () => {}): void {
    this.now += ms;
    this.#tell(() => {
      happen();
      this.#ring();
    });
  }

  /** Tells it something, as soon as it can hear. */
  #tell(how: () => void): void {
    if (this.state === 'stopped') this.#untold.push(how);
    else how();
  }

  #end(how: 'crash' | 'stop'): void {
    this.state = how === 'crash' ? 'crashed' : 'stopped';
    if (how === 'stop') return;
    this.#sent.length = 0;
    this.calls.clear();
  }

  #resume(ms: number, isTimeFirst: boolean): void {
    this.state = 'working';
    this.now += ms;
    if (isTimeFirst) this.#ring();
    for (const tell of this.#untold.splice(0)) tell();
    if (!isTimeFirst) this.#ring();
  }

  #ring(): void {
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { callback } of due) callback();
  }

  /** Until it does nothing more by itself. */
  async #rest(): Promise<void> {
    for (let [quiet, before] = [0, this.activity]; quiet < QUIET_TURNS; quiet++) {
      await turn();
      if (this.activity !== before) [quiet, before] = [-1, this.activity];
    }
  }

  /** The words of a command, with a name in place of each token, so that they are the same whenever it is played. */
  #encode(command: Command<unknown>): string[] {
    return command.args.map((word) =>
      String(word).replaceAll(TOKEN, (token) => {
        if (!this.#tokens.includes(token)) this.#tokens.push(token);
        return this.#tokenName(this.#tokens.indexOf(token));
      }),
    );
  }

  /** The other way round. */
  #decode(reply: Reply): Reply {
    if (typeof reply !== 'string') return reply;
    const at = this.#tokens.findIndex((_, index) => reply.endsWith(this.#tokenName(index)));
    return at < 0 ? reply : reply.replace(this.#tokenName(at), this.#tokens[at]!);
  }

  #tokenName(index: number): string {
    return `<${this.name}>${index}`;
  }
}
