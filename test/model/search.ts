/** Something that one actor of a world can do next. */
export interface Step {
  /** The same in every state where it can be taken. */
  readonly name: string;
  readonly actor: string;
  /** The shards whose keys it touches; `mishap` for what can happen once. */
  readonly touches: readonly string[];
  /** Whether it only reads them. */
  readonly isRead: boolean;
}

/** A small world, in states that never change. */
export interface Explored<State, S extends Step> {
  begin(): Promise<State>;
  /** What can be done next: all of it, or so much that the rest can come later without a difference. */
  steps(state: State): S[];
  take(state: State, step: S): Promise<State>;
  /** Equal for states with equal futures. In groups, because a Map has room for 16 million. */
  keyOf(state: State): [group: string, key: string];
  /** What must not be; `steps` are those that can be taken from here. */
  faultOf(state: State, steps: readonly S[]): string | undefined | Promise<string | undefined>;
}

export interface Found<S> {
  states: number;
  transitions: number;
  /** Schedules that were played to their end. */
  ends: number;
  /** Whether everything was seen. */
  isWhole: boolean;
  /** The first fault, and the steps that lead to it. */
  fault: { what: string; path: S[] } | undefined;
}

/** A step that was taken, and those before it. */
interface Taken<S> {
  readonly step: S;
  readonly before: Taken<S> | undefined;
}

/** A state that was reached, and steps that need not be taken from it. */
interface Reached<State, S> {
  readonly state: State;
  readonly last: Taken<S> | undefined;
  readonly asleep: readonly S[];
}

function pathTo<S>(last: Taken<S> | undefined): S[] {
  const steps: S[] = [];
  for (let taken = last; taken; taken = taken.before) steps.push(taken.step);
  return steps.reverse();
}

/** Steps whose order makes no difference. */
const commute = (a: Step, b: Step) =>
  a.actor !== b.actor && ((a.isRead && b.isRead) || !a.touches.some((shard) => b.touches.includes(shard)));

/** Of each state, the steps that were not played from it, because they slept whenever it was met. */
class Seen {
  readonly #groups = new Map<string, Map<string, ReadonlySet<string>>>();
  /** Each set of steps is there once: there are millions of states. */
  readonly #sets = new Map<string, ReadonlySet<string>>();

  get([group, key]: readonly [string, string]): ReadonlySet<string> | undefined {
    return this.#groups.get(group)?.get(key);
  }

  set([group, key]: readonly [string, string], left: readonly string[]): void {
    const text = left.join();
    const set = this.#sets.get(text) ?? new Set(left);
    this.#sets.set(text, set);
    const states = this.#groups.get(group) ?? new Map<string, ReadonlySet<string>>();
    this.#groups.set(group, states.set(key, set));
  }
}

/**
 * Plays every schedule of a world's steps, depth first, until a fault is found or it is over. States are seen once.
 * Of steps that commute one order is played: what was tried from a state sleeps after its alternatives, until a step
 * comes that it does not commute with (sleep sets; a state that is met again with fewer asleep has those played then).
 */
export async function explore<State, S extends Step>(
  world: Explored<State, S>,
  isOver: (found: Found<S>) => boolean,
): Promise<Found<S>> {
  const found: Found<S> = { states: 0, transitions: 0, ends: 0, isWhole: true, fault: undefined };
  const seen = new Seen();
  const reached: Reached<State, S>[] = [{ state: await world.begin(), last: undefined, asleep: [] }];
  for (let next = reached.pop(); next; next = reached.pop()) {
    if (isOver(found)) return { ...found, isWhole: false };
    const { state, last, asleep } = next;
    const key = world.keyOf(state);
    const left = seen.get(key);
    const sleeping = new Set(asleep.map(({ name }) => name));
    if (left && [...left].every((name) => sleeping.has(name))) continue; // all the others were played from here
    const steps = world.steps(state);
    if (!left) {
      found.states++;
      if (steps.length === 0) found.ends++;
      const what = await world.faultOf(state, steps);
      if (what !== undefined) return { ...found, isWhole: false, fault: { what, path: pathTo(last) } };
    }
    seen.set(key, left ? [...left].filter((name) => sleeping.has(name)) : [...sleeping]);
    const isPlayed = ({ name }: Step) => left !== undefined && !left.has(name);
    const tried = [...asleep, ...steps.filter((step) => isPlayed(step) && !sleeping.has(step.name))];
    for (const step of steps.filter((step) => !sleeping.has(step.name) && !isPlayed(step))) {
      found.transitions++;
      const later = tried.filter((other) => commute(other, step));
      reached.push({ state: await world.take(state, step), last: { step, before: last }, asleep: later });
      tried.push(step);
    }
  }
  return found;
}
