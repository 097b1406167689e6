import { setImmediate as turn } from 'node:timers/promises';
import * as entryScripts from '#lib/consumer/group/entry-scripts.ts';
import * as leaseScripts from '#lib/consumer/group/lease-scripts.ts';
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
  /** Of its script; else its first word. */
  readonly name: string;
  /** When it was sent. */
  readonly at: number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

const EPOCH_MS = 1_700_000_000_000;
const TOKEN = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const QUIET_TURNS = 3;
/** Scripts that give a lease: a run counts its time from them. */
const LEASES = new Set(['acquireScript', 'renewScript']);
const NAMES = new Map(Object.entries({ ...leaseScripts, ...entryScripts }).map(([name, { lua }]) => [lua, name]));

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
  /** What it was not told yet: the answer to a command, or the end of a call. */
  #untold: { readonly of: string | number; readonly tell: () => void }[] = [];
  #calls = 0;
  /** Whether its one mishap is over. */
  #era: 'before' | 'resume' | 'resume-late' | 'after' = 'before';
  /**
   * The last answer to each command, and whether it came before a mishap. A lease counts from when it was asked for or
   * given; when to read again depends on the last read, and on the last that brought entries.
   */
  readonly #heard = new Map<string, readonly (string | number | boolean)[]>();
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
        const sent = { command, words, text: words.join(' '), name: nameOf(command), at: this.now };
        this.#sent.push({ ...sent, hear: (reply) => resolve(reply), fail });
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

  /**
   * What it may still know, in words: what is on its way, what it waits for, and what it heard last. One that is over
   * knows nothing.
   */
  get memory(): string {
    const { name, state, now } = this;
    const sent = this.#sent.map(({ text }) => text);
    if (state === 'ended' || state === 'crashed') return JSON.stringify([name, state, sent]);
    const counts = [this.#calls, this.#tokens.length];
    const waits = this.#timers.map(({ at }) => at).sort((a, b) => a - b);
    const untold = this.#untold.map(({ of }) => of);
    const heard = [...this.#heard].sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([name, state, sent, now, counts, [...this.calls.keys()], waits, untold, heard]);
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
    if (event.what === 'command') this.#hear(event);
    else if (event.what === 'response') this.#pass(event.ms, event.call, this.#responseOf(event.call));
    else if (event.what === 'time') this.#wait(event.ms);
    else if (event.what === 'resume') this.#resume(event.ms, event.isTimeFirst);
    else this.#end(event.what);
    await this.#rest();
  }

  /** Until the first thing that it waits for; so many milliseconds are a mishap. */
  #wait(ms?: number): void {
    this.#pass(ms ?? Math.max(0, this.nextTime - this.now));
    if (ms !== undefined) this.#era = 'after';
  }

  #hear({ heard, said }: { readonly heard: Heard; readonly said: string }): void {
    const sent = this.#sent.shift()!;
    const reply = 'reply' in heard ? heard.reply : undefined;
    this.#pass(reply === null ? (sent.command.blockMs ?? 0) : 0, `${sent.text} ${said}`, () => {
      this.#remember(sent, said, reply ?? null);
      if ('error' in heard) sent.fail(heard.error);
      else sent.hear(this.#decode(heard.reply));
    });
  }

  #remember({ name, text, at }: Sent, said: string, reply: Reply): void {
    const isOld = this.#era === 'before';
    if (LEASES.has(name)) this.#heard.set(text, [said, this.#era, at, this.now]);
    else this.#heard.set(text, name === 'XREADGROUP' ? [said, isOld, this.now] : [said, isOld]);
    if (name === 'XREADGROUP' && reply !== null) this.#heard.set(`entries ${text}`, [said, this.now]);
  }

  #responseOf(call: number): () => void {
    const respond = this.calls.get(call)!;
    this.calls.delete(call);
    return respond;
  }

  /** Time passes, and something happens at the end of that. */
  #pass(ms: number, of: string | number = '', happen: () => void = () => {}): void {
    this.now += ms;
    this.#tell(of, () => {
      happen();
      this.#ring();
    });
  }

  /** Tells it something, as soon as it can hear. */
  #tell(of: string | number, tell: () => void): void {
    if (this.state === 'stopped') this.#untold.push({ of, tell });
    else tell();
  }

  #end(how: 'crash' | 'stop'): void {
    this.state = how === 'crash' ? 'crashed' : 'stopped';
    if (how === 'stop') return;
    this.#sent.length = 0;
    this.calls.clear();
  }

  #resume(ms: number, isTimeFirst: boolean): void {
    this.state = 'working';
    this.#era = isTimeFirst ? 'resume-late' : 'resume';
    this.now += ms;
    if (isTimeFirst) this.#ring();
    for (const { tell } of this.#untold.splice(0)) tell();
    if (!isTimeFirst) this.#ring();
    this.#era = 'after';
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

const nameOf = ({ script, args }: Command<unknown>): string => (script && NAMES.get(script)) ?? String(args[0]);
