import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/consumer/clock.ts';
import type { Command, Redis, Reply } from '../../lib/redis/redis.ts';

/** A command on its way to the server. */
export interface Sent {
  readonly command: Command<unknown>;
  readonly hear: (reply: Reply) => void;
  readonly fail: (error: unknown) => void;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

const EPOCH_MS = 1_700_000_000_000;
const TOKEN = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * A process whose surroundings are in the hands of the explorer: its commands wait until they are executed, its clock
 * stands until it is moved, and what it is told waits while it is stopped.
 */
export class Actor {
  readonly name: string;
  /** `stopped`: it keeps its state, and hears nothing. */
  state: 'working' | 'stopped' | 'crashed' | 'ended' = 'working';
  now = 0;
  /** In the order of its one connection. */
  readonly sent: Sent[] = [];
  /** Calls to the target that have no response yet. */
  calls: { readonly number: number; readonly respond: () => void }[] = [];
  /** How many commands were executed, calls made and times come. */
  readonly count = { commands: 0, calls: 0, ticks: 0 };
  /** What it did by itself so far: while that grows, it is not at rest. */
  activity = 0;
  #timers: Timer[] = [];
  /** What it was not told yet. */
  #untold: (() => void)[] = [];
  readonly #tokens: string[] = [];
  #history = '';

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
        this.sent.push({ command, hear: (reply) => resolve(reply), fail });
      }).then((reply) => command.decode(reply));
    },
  };

  /** Whether it waits for nothing but a time. */
  get nextTime(): number {
    return Math.min(...this.#timers.map(({ at }) => at));
  }

  /** All that it can know: it does the same whenever it is told the same. */
  get history(): string {
    const isOver = this.state === 'ended' || this.state === 'crashed';
    return `${this.state} ${isOver ? this.sent.length : this.#history}`;
  }

  /** Tells it something, as soon as it can hear. */
  tell(what: string, how: () => void): void {
    this.#history = createHash('sha1').update(`${this.#history}\n${what}`).digest('base64');
    if (this.state === 'stopped') this.#untold.push(how);
    else how();
  }

  /** Lets time pass for it, and something happen at the end of that. */
  pass(ms: number, what = '', happen: () => void = () => {}): void {
    this.now += ms;
    this.tell(`now ${this.now} ${what}`, () => {
      happen();
      this.#ring();
    });
  }

  /** It goes on after it was stopped for so long: the time comes first, or what it was told. */
  resume(ms: number, isTimeFirst: boolean): void {
    this.state = 'working';
    this.now += ms;
    const untold = this.#untold.splice(0);
    this.tell(`resumed ${isTimeFirst}`, () => {
      if (isTimeFirst) this.#ring();
      for (const tell of untold) tell();
      if (!isTimeFirst) this.#ring();
    });
  }

  crash(): void {
    this.state = 'crashed';
    this.sent.length = 0;
    this.calls = [];
  }

  /** The words of a command, with a name in place of each token, so that they are the same whenever it is played. */
  encode(command: Command<unknown>): string[] {
    return command.args.map((word) =>
      String(word).replaceAll(TOKEN, (token) => {
        if (!this.#tokens.includes(token)) this.#tokens.push(token);
        return this.#tokenName(this.#tokens.indexOf(token));
      }),
    );
  }

  /** The other way round. */
  decode(reply: Reply): Reply {
    const at = typeof reply === 'string' ? this.#tokens.findIndex((_, index) => this.#tokenName(index) === reply) : -1;
    return at < 0 ? reply : this.#tokens[at]!;
  }

  #tokenName(index: number): string {
    return `<${this.name}>${index}`;
  }

  #ring(): void {
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { callback } of due) callback();
  }
}
