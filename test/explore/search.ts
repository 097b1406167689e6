/** Something that one actor of a world can do next. */
export interface Step {
  /** The same in every world where it can be taken. */
  readonly name: string;
  readonly actor: string;
  /** The shards whose keys it touches; `fault` for what can happen once. */
  readonly touches: readonly string[];
  /** Whether it only reads them. */
  readonly isRead: boolean;
}

/** A small world that can be played again from its beginning, step by step. */
export interface Explored {
  /** What can be done next: all of it, or so much that the rest can come later without a difference. */
  steps(): Step[];
  take(name: string): Promise<void>;
  /** Takes a step that was taken before from here, so that nothing needs to be looked at. */
  retake(name: string): Promise<void>;
  /** Alike for worlds that go on alike. */
  fingerprint(): string;
  /** Nothing can be done any more: looks whether all promises were kept. */
  finish(): Promise<void>;
  /** What must not be. */
  readonly faults: readonly string[];
}

export interface Found {
  states: number;
  transitions: number;
  /** Schedules that were played to their end. */
  ends: number;
  /** Whether everything was seen. */
  isWhole: boolean;
  /** The first fault, and the steps that lead to it. */
  fault: { what: string; path: string[] } | undefined;
}

/** Steps whose order makes no difference. */
const commute = (a: Step, b: Step) =>
  a.actor !== b.actor && ((a.isRead && b.isRead) || !a.touches.some((shard) => b.touches.includes(shard)));

/**
 * Plays every schedule of a world's steps, depth first, until a fault is found or time is over. States are seen once. Of
 * steps that commute one order is played: what was tried from a state sleeps after its alternatives, until a step comes
 * that it does not commute with (sleep sets; a state that is met again with fewer asleep has those played then).
 */
export async function explore(open: () => Promise<Explored>, isOver: () => boolean): Promise<Found> {
  const found: Found = { states: 0, transitions: 0, ends: 0, isWhole: true, fault: undefined };
  /** Of each state, the steps that were not played from it, because they slept whenever it was met. */
  const seen = new Map<string, ReadonlySet<string>>();
  const tasks: { path: string[]; asleep: readonly Step[] }[] = [{ path: [], asleep: [] }];
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    if (isOver()) return { ...found, isWhole: false };
    const world = await open();
    const { path } = task;
    let { asleep } = task;
    for (const name of path.slice(0, -1)) await world.retake(name);
    if (path.length > 0) await world.take(path.at(-1)!);
    for (;;) {
      const steps = world.steps();
      if (world.faults.length === 0 && steps.length === 0) {
        found.ends++;
        await world.finish();
      }
      if (world.faults.length > 0) return { ...found, isWhole: false, fault: { what: world.faults[0]!, path } };
      const state = world.fingerprint();
      const left = seen.get(state);
      if (!left) found.states++;
      const sleeping = new Set(asleep.map(({ name }) => name));
      seen.set(state, left ? new Set([...left].filter((name) => sleeping.has(name))) : sleeping);
      const isPlayed = ({ name }: Step) => left !== undefined && !left.has(name);
      const [first, ...others] = steps.filter((step) => !sleeping.has(step.name) && !isPlayed(step));
      if (!first) break;
      const tried = [...asleep, ...steps.filter((step) => isPlayed(step) && !sleeping.has(step.name)), first];
      found.transitions += 1 + others.length;
      for (const step of others) {
        tasks.push({ path: [...path, step.name], asleep: tried.filter((other) => commute(other, step)) });
        tried.push(step);
      }
      asleep = asleep.filter((other) => commute(other, first));
      path.push(first.name);
      await world.take(first.name);
    }
  }
  return found;
}
