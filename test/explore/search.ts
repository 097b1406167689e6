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
export interface Explored<Outcome, Saved> {
  /** What can be done next: all of it, or so much that the rest can come later without a difference. */
  steps(): Step[];
  take(name: string): Promise<Outcome>;
  /** Takes a step that was taken before from here: its actor hears the same, and the server is not asked. */
  retake(name: string, outcome: Outcome): Promise<void>;
  /** What the server has, for a world that is played again up to here. */
  save(): Promise<Saved>;
  restore(saved: Saved): Promise<void>;
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

/** A step that was taken, and those before it. */
interface Taken<Outcome> {
  readonly before: Taken<Outcome> | undefined;
  readonly name: string;
  readonly outcome: Outcome;
}

/** A step to take from a state: the state is played again, and the server has again what it had there. */
interface Task<Outcome, Saved> {
  readonly from: Taken<Outcome> | undefined;
  readonly next: string | undefined;
  readonly saved: Saved | undefined;
  readonly asleep: readonly Step[];
}

function stepsTo<Outcome>(last: Taken<Outcome> | undefined): Taken<Outcome>[] {
  const steps: Taken<Outcome>[] = [];
  for (let step = last; step; step = step.before) steps.push(step);
  return steps.reverse();
}

/** Steps whose order makes no difference. */
const commute = (a: Step, b: Step) =>
  a.actor !== b.actor && ((a.isRead && b.isRead) || !a.touches.some((shard) => b.touches.includes(shard)));

/**
 * Plays every schedule of a world's steps, depth first, until a fault is found or time is over. States are seen once. Of
 * steps that commute one order is played: what was tried from a state sleeps after its alternatives, until a step comes
 * that it does not commute with (sleep sets; a state that is met again with fewer asleep has those played then).
 */
export async function explore<Outcome, Saved>(
  open: () => Promise<Explored<Outcome, Saved>>,
  isOver: () => boolean,
): Promise<Found> {
  const found: Found = { states: 0, transitions: 0, ends: 0, isWhole: true, fault: undefined };
  /** Of each state, the steps that were not played from it, because they slept whenever it was met. */
  const seen = new Map<string, ReadonlySet<string>>();
  const tasks: Task<Outcome, Saved>[] = [{ from: undefined, next: undefined, saved: undefined, asleep: [] }];
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    if (isOver()) return { ...found, isWhole: false };
    const world = await open();
    let { from: at, asleep } = task;
    const take = async (name: string) => {
      at = { before: at, name, outcome: await world.take(name) };
    };
    for (const { name, outcome } of stepsTo(at)) await world.retake(name, outcome);
    if (task.saved !== undefined) await world.restore(task.saved);
    if (task.next !== undefined) await take(task.next);
    for (;;) {
      const steps = world.steps();
      if (world.faults.length === 0 && steps.length === 0) {
        found.ends++;
        await world.finish();
      }
      if (world.faults.length > 0) {
        const path = stepsTo(at).map(({ name }) => name);
        return { ...found, isWhole: false, fault: { what: world.faults[0]!, path } };
      }
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
      const saved = others.length > 0 ? await world.save() : undefined;
      for (const step of others) {
        tasks.push({ from: at, next: step.name, saved, asleep: tried.filter((other) => commute(other, step)) });
        tried.push(step);
      }
      asleep = asleep.filter((other) => commute(other, first));
      await take(first.name);
    }
  }
  return found;
}
