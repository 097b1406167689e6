import { consume } from '#lib/consumer/consume.ts';
import { fieldOf, type Entry } from '#lib/consumer/entry.ts';
import { RedisGroup } from '#lib/consumer/group/redis-group.ts';
import { pause, resume } from '#lib/consumer/operator/pause.ts';
import { claimWakes } from '#lib/consumer/producer/wake.ts';
import { deadLetterStreamOf, wakeKeyOf } from '#lib/consumer/redis-keys.ts';
import type { AttemptContext } from '#lib/consumer/targets/target.ts';
import { createLog } from '#lib/core/log.ts';
import type { Command, Reply } from '#lib/redis/redis.ts';
import type { Actor, Event } from './actor.ts';
import type { Answer, LearnedServer, Stored } from './learned-server.ts';
import { Positions, type Position } from './position.ts';
import type { Explored, Step } from './search.ts';

/**
 * What may happen once: `crash`: a run is killed; `stop`: it is suspended, and continues after its leases have expired;
 * `late`: its time is over; `slow`: it has to renew its leases in the middle of something.
 */
export type Mishap = 'crash' | 'stop' | 'late' | 'slow';

/** What is explored. */
export interface ExploredScope {
  /** Runs that begin at any time. */
  readonly runs: number;
  readonly shards: number;
  /** What the producer adds, one after the other: shard and key. */
  readonly entries: readonly (readonly [shard: number, key: string])[];
  /** Whether it wakes the consumer. Else all entries are there from the beginning. */
  readonly isWoken: boolean;
  /** Entries a read. Default 10. */
  readonly batchSize?: number;
  readonly mishap?: Mishap;
  /** How the names of the runs begin to which it can come. Default: any. */
  readonly unlucky?: string;
  /** Whether an operator pauses the group and resumes it. */
  readonly isPaused?: boolean;
  /** Whether the group is there from the beginning. Default true. */
  readonly hasGroup?: boolean;
}

const GROUP = 'g';
/** The explorer lets it pass in one step. */
const LEASE_MS = 3_600_000;
const SLOW_MS = 600;
const BUDGET_MS = 10_000;
/** How long the target takes for an entry; from LATE_MS on, no attempt may start that takes so long. */
const RESPONSE_MS = 1;
const LATE_MS = 8999.5;
const LATE_RESPONSE_MS = 0.1;
/** A woken run lingers longer than its wake suppresses others: the explorer lets the wake end with the run. */
const LINGER_MS = 20;
/**
 * How often a run lets time pass while the server stays the same and another could go on. A run that looks four times a
 * second whether a shard has become free would otherwise look until its end at each place of the other. The order of a
 * wait and another's command changes no more than this count, so they commute.
 */
const PATIENCE = 2;
const log = createLog('error', {}, () => {});

/** Ends the leases of a run. ARGV its name in their tokens. */
const EXPIRE = `
for _, key in ipairs(redis.call('KEYS', '*')) do
  local isLease = redis.call('TYPE', key).ok == 'string' and string.find(redis.call('GET', key), ARGV[1], 1, true)
  if isLease or string.find(key, ARGV[1], 1, true) then redis.call('DEL', key) end
end`;

type What = Mishap | 'command' | 'response' | 'time' | 'resume' | 'resume-late' | 'expire' | 'forget';

interface WorldStep extends Step {
  readonly what: What;
  /** The number of a call, or a key. */
  readonly of: string | number;
}

/** Never changed: a step makes a new one. */
export interface State {
  readonly stored: Stored;
  readonly actors: readonly Position[];
  /** How often the target was given each entry. */
  readonly taken: readonly number[];
  readonly hasMishap: boolean;
  /** How often each run has let time pass since the server changed. */
  readonly waits: ReadonlyMap<string, number>;
  /** What must not be. */
  readonly fault: string | undefined;
}

/** Runs of the real engine with its real scripts on a real redis-server, a producer and an operator, step by step. */
export class World implements Explored<State, WorldStep> {
  readonly #server: LearnedServer;
  readonly #scope: ExploredScope;
  readonly #first = new Map<string, Promise<Position>>();
  readonly #positions = new Positions();

  constructor(server: LearnedServer, scope: ExploredScope) {
    this.#server = server;
    this.#scope = scope;
  }

  async begin(): Promise<State> {
    const { runs, isWoken, isPaused, hasGroup = true, entries } = this.#scope;
    const groups = hasGroup ? this.#streams.map((stream) => ['XGROUP', 'CREATE', stream, GROUP, '0', 'MKSTREAM']) : [];
    const added = isWoken ? [] : [...entries.keys()].map((at) => this.#entry(at).args);
    const stored = await this.#server.first([...groups, ...added]);
    const names = [...'AB'.slice(0, runs), ...(isWoken ? 'P' : ''), ...(isPaused ? 'O' : '')];
    const actors = await Promise.all(names.map((name) => this.#begin(name)));
    return { stored, actors, taken: entries.map(() => 0), hasMishap: false, waits: new Map(), fault: undefined };
  }

  steps(state: State): WorldStep[] {
    const isPatient = ({ actor, what }: WorldStep) => what !== 'time' || (state.waits.get(actor) ?? 0) < PATIENCE;
    const all = state.actors.map((actor) => this.#stepsOf(state, actor));
    const patient = all.map((steps) => steps.filter(isPatient));
    const perActor = patient.some((steps) => steps.length > 0) ? patient : all;
    // what touches nothing can come at once, where whoever does it can do nothing else
    return perActor.find((steps) => steps.length > 0 && steps.every(isOwn)) ?? perActor.flat();
  }

  async take(state: State, step: WorldStep): Promise<State> {
    const answer = await this.#ask(state, step);
    const at = state.actors.findIndex(({ name }) => name === step.actor);
    const event = eventOf(step, state.actors[at]!, answer);
    const stored = answer?.stored ?? state.stored;
    const hasMishap = state.hasMishap || step.what === this.#scope.mishap;
    const waits = stored === state.stored ? waitsAfter(state.waits, step) : new Map<string, number>();
    if (!event) return { ...state, stored, hasMishap, waits };
    const after = await state.actors[at]!.after(event);
    return this.#follow({ ...state, stored, hasMishap, waits, actors: state.actors.with(at, after) }, after);
  }

  keyOf({ stored, actors, taken, hasMishap, waits, fault = '' }: State): [group: string, key: string] {
    const positions = actors.map(({ name, number }) => `${number}${'.'.repeat(waits.get(name) ?? 0)}`).sort();
    const [first, ...others] = positions;
    return [`${stored.id} ${first}`, `${others.join(' ')} ${taken.join('')}${hasMishap ? '!' : ''}${fault}`];
  }

  faultOf(state: State, steps: readonly WorldStep[]): Promise<string | undefined> | string | undefined {
    return state.fault ?? (steps.length === 0 ? this.#faultAtEnd(state) : undefined);
  }

  /** Positions of actors that were taken as one, and go on differently. */
  differences(): Promise<string[]> {
    return this.#positions.differences();
  }

  /** What happens on a path, a line a step. */
  async tell(path: readonly WorldStep[]): Promise<string[]> {
    const lines: string[] = [];
    let state = await this.begin();
    for (const step of path) {
      const { sent } = actorOf(state, step);
      const answer = await this.#ask(state, step);
      state = await this.take(state, step);
      const [first] = step.what === 'command' ? sent : [];
      lines.push(first ? `${step.name}: ${first.name} ${first.command.key} ${answer!.said}` : step.name);
      lines.push(...actorOf(state, step).deeds.map((deed) => `  ${step.actor} ${Object.values(deed).join(' ')}`));
    }
    return lines;
  }

  /**
   * Without a mishap nothing is left, and nothing was done twice. After one, the next run on the schedule does what is
   * left.
   */
  async #faultAtEnd(state: State): Promise<string | undefined> {
    const { mishap, isPaused } = this.#scope;
    const isSmooth = (mishap !== 'crash' && mishap !== 'stop') || !state.hasMishap;
    const { stored, taken, fault } = isSmooth && !isPaused ? state : await this.#runOnceMore(state);
    if (fault !== undefined) return fault;
    if (taken.includes(0)) return `entry ${taken.indexOf(0)} is left`;
    if (isSmooth && taken.some((times) => times > 1)) return 'an entry is done twice';
    if (/\["g","[^"]*",\["/.test(stored.text)) return 'an entry is left pending';
    return stored.holders.size > 0 ? 'a lease is left' : undefined;
  }

  async #runOnceMore(state: State): Promise<State> {
    const { stored } = await this.#tell(state.stored, ['EVAL', EXPIRE, '0', '<']);
    let next: State = { ...state, stored, actors: [...state.actors, await this.#begin('Z')] };
    for (let [step] = this.steps(next); step; [step] = this.steps(next)) next = await this.take(next, step);
    return next;
  }

  #stepsOf({ stored, actors, hasMishap }: State, actor: Position): WorldStep[] {
    const { name, state, sent, calls, isWaiting } = actor;
    const steps: WorldStep[] = [];
    const add = (what: What, of: string | number = '', touches: string[] = [], isRead = false) =>
      steps.push({ name: `${name} ${what} ${of}`.trim(), actor: name, what, of, touches, isRead });
    if (sent[0]) add('command', '', [shardOf(sent[0].command.key)], isReading(sent[0].command));
    const streams = [...stored.holders].flatMap(([stream, holder]) => (holder === name ? [stream] : []));
    const isDown = state === 'crashed' || state === 'stopped';
    if (isDown && streams.length > 0) add('expire', '', streams);
    else if (state === 'stopped') {
      add('resume');
      if (actor.isDeaf) add('resume-late');
    }
    for (const key of this.#forgettable(actor, stored, actors)) add('forget', key, [shardOf(key)]);
    if (state !== 'working') return steps;
    for (const call of calls) add('response', call);
    const isAsked = [...stored.askers.values()].some((run) => isGone(actors, run));
    if (steps.length === 0 && isWaiting && !isAsked) add('time'); // what it asked for is forgotten sooner
    if (!hasMishap && this.#canFail(actor, stored)) add(this.#scope.mishap!, '', ['mishap']);
    return steps;
  }

  /** Keys of an actor's that expire: its wake, once it is over, and what it asked for, once it is gone. */
  #forgettable({ name, state }: Position, stored: Stored, actors: readonly Position[]): string[] {
    const wake = state === 'crashed' || state === 'ended' ? this.#wakeOf(name, actors) : undefined;
    const asked = isGone(actors, name) ? [...stored.askers].filter(([, run]) => run === name) : [];
    return [...(wake !== undefined && stored.keys.has(wake) ? [wake] : []), ...asked.map(([key]) => key)];
  }

  #canFail({ name, sent }: Position, { holders }: Stored): boolean {
    const { mishap, unlucky = '' } = this.#scope;
    if (!mishap || 'PO'.includes(name) || !name.startsWith(unlucky)) return false;
    // a run that crashes between two commands leaves the same wherever that is
    if (mishap === 'crash') return sent.length > 0;
    if (mishap !== 'stop') return true;
    return [...holders.values()].includes(name) || sent.some((command) => command.name === 'acquireScript');
  }

  /** What a step does on the server. */
  async #ask(state: State, step: WorldStep): Promise<Answer | undefined> {
    const { stored } = state;
    if (step.what === 'expire') return this.#tell(stored, ['EVAL', EXPIRE, '0', `<${step.actor}>`]);
    if (step.what === 'forget') return this.#tell(stored, ['DEL', String(step.of)]);
    if (step.what !== 'command') return undefined;
    const { command, name, words, text } = actorOf(state, step).sent[0]!;
    return this.#server.after(stored, text, () => ({
      words: wordsOnServer(command, words),
      asBytes: command.asBytes,
      alter: name === 'listPendingScript' ? withoutTimes : undefined,
    }));
  }

  #tell(stored: Stored, words: readonly string[]): Promise<Answer> {
    return this.#server.after(stored, words.join(' '), () => ({ words }));
  }

  /** What an actor does other than send commands. */
  async #follow(state: State, { name, deeds }: Position): Promise<State> {
    let next = state;
    for (const deed of deeds) {
      if (deed.what === 'takes') next = this.#give(next, name, deed.stream, deed.entry);
      else if (deed.what === 'starts') next = { ...next, actors: [...next.actors, await this.#begin(deed.run)] };
      else next = { ...next, fault: `${name} fails: ${deed.error}` };
    }
    return next;
  }

  /** The target takes an entry at once; its response is a step. */
  #give(state: State, run: string, stream: string, entry: number): State {
    const key = (at: number) => String(this.#scope.entries[at]);
    const holder = state.stored.holders.get(stream) ?? 'nobody';
    const isLate = state.taken.some((times, at) => times > 0 && at > entry && key(at) === key(entry));
    const wrong = holder === run ? [] : [`${run} works on ${stream}, which ${holder} holds`];
    if (isLate) wrong.push(`entry ${entry} is out of order`);
    return { ...state, taken: state.taken.with(entry, state.taken[entry]! + 1), fault: state.fault ?? wrong[0] };
  }

  /** The wake that started a run, until another run is started for the same shard. */
  #wakeOf(name: string, actors: readonly Position[]): string | undefined {
    const streamOf = (run: string) => (/^W\d$/.test(run) ? this.#entry(Number(run[1])).stream : undefined);
    const stream = streamOf(name);
    const last = actors.findLast((other) => streamOf(other.name) === stream);
    return stream !== undefined && last!.name === name ? wakeKeyOf(stream, GROUP) : undefined;
  }

  #begin(name: string): Promise<Position> {
    const work = (actor: Actor) =>
      name === 'P' ? this.#produce(actor) : name === 'O' ? this.#operate(actor) : this.#run(actor);
    const first = this.#first.get(name) ?? this.#positions.first(name, work);
    this.#first.set(name, first);
    return first;
  }

  async #run(actor: Actor): Promise<void> {
    const { clock, redis, name } = actor;
    const lingerMs = name.startsWith('W') ? LINGER_MS : 0;
    const settings = {
      batchSize: this.#scope.batchSize ?? 10,
      concurrency: 2,
      maxDeliveries: 5,
      backoffMs: 1,
      leaseMs: LEASE_MS,
      trim: false,
      refusalLimit: 20,
      lingerMs,
      budgetMs: this.#budgetMs,
      bodyBytes: 2 ** 20,
      viewLimit: 100,
      startId: '0',
    };
    const shards = this.#streams.map((stream) => {
      const options = { stream, group: GROUP, deadLetterStream: deadLetterStreamOf(stream, GROUP), keyFields: ['k'] };
      return {
        stream,
        group: new RedisGroup(redis, { ...options, ...settings, run: `<${name}>`, isolatedEntries: new Map() }),
      };
    });
    const process = (entry: Entry, { stream, signal }: AttemptContext) => {
      actor.do({ what: 'takes', stream, entry: Number(fieldOf(entry, 'n')) });
      return actor.call(signal);
    };
    const startSuccessor = async () => actor.do({ what: 'starts', run: `${name}'` });
    await consume({ shards, target: { keyFields: ['k'], process }, settings, log, clock, startSuccessor });
  }

  /** Adds entries, and invokes the consumer wherever it is to. */
  async #produce(actor: Actor): Promise<void> {
    for (const at of this.#scope.entries.keys()) {
      const { stream, args } = this.#entry(at);
      const added = actor.redis.send({ key: stream, args, decode: String });
      const [wakes] = await Promise.all([claimWakes(actor.redis, [stream], GROUP, { log }), added]);
      if (wakes.length > 0) actor.do({ what: 'starts', run: `W${at}` });
    }
  }

  async #operate({ redis }: Actor): Promise<void> {
    await pause(redis, { streams: this.#streams, group: GROUP, forMs: LEASE_MS });
    await resume(redis, this.#streams, GROUP);
  }

  get #streams(): string[] {
    return Array.from({ length: this.#scope.shards }, (_, shard) => `s:${shard}`);
  }

  /** Long enough that a stopped run continues after its lease has ended. */
  get #budgetMs(): number {
    return this.#scope.mishap === 'stop' ? 100 * LEASE_MS : BUDGET_MS;
  }

  #entry(at: number): { stream: string; args: string[] } {
    const [shard, key] = this.#scope.entries[at]!;
    return { stream: `s:${shard}`, args: ['XADD', `s:${shard}`, `${at + 1}-0`, 'k', key, 'n', String(at)] };
  }
}

/** Whether a run does nothing any more. */
function isGone(actors: readonly Position[], run: string): boolean {
  const state = actors.find(({ name }) => name === run)?.state;
  return state === 'crashed' || state === 'ended';
}

/** What a step is for its actor; none for what happens on the server alone. */
function eventOf({ what, of }: WorldStep, { now }: Position, answer: Answer | undefined): Event | undefined {
  if (what === 'command') return { what, heard: answer!.heard, said: answer!.said };
  if (what === 'response') return { what, call: Number(of), ms: now < LATE_MS ? RESPONSE_MS : LATE_RESPONSE_MS };
  if (what === 'resume' || what === 'resume-late')
    return { what: 'resume', ms: LEASE_MS, isTimeFirst: what === 'resume-late' };
  if (what === 'late') return { what: 'time', ms: LATE_MS - now };
  if (what === 'slow') return { what: 'time', ms: SLOW_MS };
  return what === 'expire' || what === 'forget' ? undefined : { what };
}

/** As if the server knew each script, and did not wait. */
function wordsOnServer({ script, blockMs }: Command<unknown>, words: readonly string[]): string[] {
  const all = script === undefined ? [...words] : ['EVAL', script.source, ...words.slice(2)];
  if (blockMs !== undefined) all.splice(all.indexOf('BLOCK'), 2);
  return all;
}

/** What the server says of entries, as if no time had passed since their last delivery. */
function withoutTimes(reply: Reply): Reply {
  const [level, rows] = reply as [string, string[][]];
  return [level, rows.map((row) => row.with(1, '0'))];
}

const actorOf = ({ actors }: State, { actor }: Step): Position => actors.find(({ name }) => name === actor)!;

const shardOf = (key: string): string => /s:\d/.exec(key)![0];

/** Where all have waited so often, each may again. */
function waitsAfter(waits: State['waits'], { actor, what }: WorldStep): State['waits'] {
  if (what !== 'time') return waits;
  const before = waits.get(actor) ?? 0;
  return before < PATIENCE ? new Map(waits).set(actor, before + 1) : new Map([[actor, 1]]);
}

/** Whether no other actor can notice it. */
const isOwn = ({ touches }: Step) => touches.length === 0 || touches[0] === 'mishap';

const isReading = ({ script, args }: Command<unknown>): boolean =>
  script === undefined ? args[0] === 'GET' : script.source.startsWith('#!lua flags=no-writes');
