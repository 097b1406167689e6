import { Actor, type Deed, type Event, type Sent } from './actor.ts';

/**
 * The positions of a world's actors. Those with the same memory are one: a run that has looked ten times at a shard is
 * where it would be had it looked once, as long as it heard the same last. `differences` says whether that is so.
 */
export class Positions {
  readonly #known = new Map<string, Position>();
  readonly #numbers = new Map<string, number>();
  readonly #merged: (readonly [came: Position, known: Position])[] = [];

  async first(name: string, work: (actor: Actor) => Promise<void>): Promise<Position> {
    const play = async () => {
      const actor = new Actor(name);
      await actor.begin(work);
      return actor;
    };
    return this.reach(await play(), play);
  }

  /** The position of an actor at rest. */
  reach(actor: Actor, play: () => Promise<Actor>): Position {
    const { memory } = actor;
    const number = this.#numbers.get(memory) ?? this.#numbers.size;
    this.#numbers.set(memory, number);
    const came = new Position(this, number, actor, play);
    const key = `${number} ${JSON.stringify(came.deeds)}`;
    const known = this.#known.get(key);
    if (!known) this.#known.set(key, came);
    else if (known.state !== 'ended' && known.state !== 'crashed') this.#merged.push([came, known]);
    return known ?? came;
  }

  /** Positions that were taken as one and go on differently, with what happens next: then an actor's memory is more. */
  async differences(): Promise<string[]> {
    const differences: string[] = [];
    for (const [came, known] of this.#merged.splice(0))
      for (const event of known.met) {
        const isAlike = (await came.after(event)) === (await known.after(event));
        if (!isAlike) differences.push(`${known.name} ${known.number}: ${JSON.stringify(event)}`);
      }
    return differences;
  }
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
  /** The same number for positions that go on alike. */
  readonly number: number;
  readonly #positions: Positions;
  readonly #play: () => Promise<Actor>;
  readonly #activity: number;
  readonly #after = new Map<string, { readonly event: Event; readonly position: Promise<Position> }>();
  /** The actor that came here, as long as nothing else happened to it. */
  #actor: WeakRef<Actor> | undefined;

  constructor(positions: Positions, number: number, actor: Actor, play: () => Promise<Actor>) {
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
    this.number = number;
    this.#positions = positions;
    this.#play = play;
    this.#actor = new WeakRef(actor);
  }

  /** What happened to it here. */
  get met(): Event[] {
    return [...this.#after.values()].map(({ event }) => event);
  }

  after(event: Event): Promise<Position> {
    const key = event.what === 'command' ? event.said : JSON.stringify(event);
    const known = this.#after.get(key) ?? { event, position: this.#learn(event) };
    this.#after.set(key, known);
    return known.position;
  }

  async #learn(event: Event): Promise<Position> {
    const play = async () => {
      const actor = await this.#comeHere();
      await actor.meet(event);
      return actor;
    };
    return this.#positions.reach(await play(), play);
  }

  async #comeHere(): Promise<Actor> {
    const actor = this.#actor?.deref() ?? (await this.#play());
    this.#actor = undefined;
    actor.deeds.length = 0;
    if (actor.activity !== this.#activity) throw new Error(`${this.name} did not do again what it did`);
    return actor;
  }
}
