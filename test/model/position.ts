import { Actor, type Deed, type Event, type Sent } from './actor.ts';

let positions = 0;
const numbers = new Map<string, number>();

function numberOf(text: string): number {
  const number = numbers.get(text) ?? ++positions;
  numbers.set(text, number);
  return number;
}

/**
 * An actor at rest, after all that happened to it. It knows nothing else, so what it does next is learned once: an
 * actor is played again only for an event that it did not meet here before.
 */
export class Position {
  readonly name: string;
  readonly state: Actor['state'];
  readonly now: number;
  readonly sent: readonly Sent[];
  readonly calls: readonly number[];
  /** Whether it waits for a time. */
  readonly isWaiting: boolean;
  /** Whether it was told something that it did not hear. */
  readonly isDeaf: boolean;
  /** What it did to come here, in order. */
  readonly deeds: readonly Deed[];
  /** The same number for positions that go on alike: an actor that is over sends what it has sent, and no more. */
  readonly number: number;
  readonly #play: () => Promise<Actor>;
  readonly #activity: number;
  readonly #after = new Map<string, Promise<Position>>();
  /** The actor that came here, as long as nothing else happened to it. */
  #actor: WeakRef<Actor> | undefined;

  private constructor(actor: Actor, play: () => Promise<Actor>) {
    const { name, state, now, sent, calls, nextTime, deeds, activity, isDeaf } = actor;
    this.name = name;
    this.state = state;
    this.now = now;
    this.#activity = activity;
    this.sent = [...sent];
    this.calls = [...calls.keys()];
    this.deeds = deeds.splice(0);
    this.isDeaf = isDeaf;
    this.isWaiting = nextTime < Infinity;
    const isOver = state === 'ended' || state === 'crashed';
    this.number = isOver ? numberOf(`${name} ${state} ${sent.map(({ text }) => text).join()}`) : ++positions;
    this.#play = play;
    this.#actor = new WeakRef(actor);
  }

  static async first(name: string, work: (actor: Actor) => Promise<void>): Promise<Position> {
    const play = async () => {
      const actor = new Actor(name);
      await actor.begin(work);
      return actor;
    };
    return new Position(await play(), play);
  }

  after(event: Event): Promise<Position> {
    const key = event.what === 'command' ? event.said : JSON.stringify(event);
    const known = this.#after.get(key) ?? this.#learn(event);
    this.#after.set(key, known);
    return known;
  }

  async #learn(event: Event): Promise<Position> {
    const play = async () => {
      const actor = await this.#comeHere();
      await actor.meet(event);
      return actor;
    };
    return new Position(await play(), play);
  }

  async #comeHere(): Promise<Actor> {
    const actor = this.#actor?.deref() ?? (await this.#play());
    this.#actor = undefined;
    actor.deeds.length = 0;
    if (actor.activity !== this.#activity) throw new Error(`${this.name} did not do again what it did`);
    return actor;
  }
}
