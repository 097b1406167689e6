import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { consume } from '../../lib/consumer/consume.ts';
import { fieldOf, type Entry } from '../../lib/consumer/entry.ts';
import * as entryScripts from '../../lib/consumer/group/entry-scripts.ts';
import * as leaseScripts from '../../lib/consumer/group/lease-scripts.ts';
import { RedisGroup } from '../../lib/consumer/group/redis-group.ts';
import { pause, resume } from '../../lib/consumer/operator/pause.ts';
import { claimWakes } from '../../lib/consumer/producer/wake.ts';
import { deadLetterStreamOf } from '../../lib/consumer/redis-keys.ts';
import type { Attempt } from '../../lib/consumer/targets/target.ts';
import { createLog } from '../../lib/core/log.ts';
import type { Command, Redis, Reply } from '../../lib/redis/redis.ts';
import { Actor } from './actor.ts';
import type { Explored, Step } from './search.ts';

/**
 * What may happen once: `crash`: a run ends without a word; `stop`: it is stopped, and goes on after its lease has
 * ended; `late`: its time is over; `slow`: it has to renew its leases in the middle of something.
 */
export type Mishap = 'crash' | 'stop' | 'late' | 'slow';

/** What is explored. */
export interface Scope {
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
  /** Whether an operator pauses the group and lets it go on again. */
  readonly isPaused?: boolean;
  /** Whether the group is there from the beginning. Default true. */
  readonly hasGroup?: boolean;
}

const GROUP = 'g';
/** Redis lets the hour pass by itself, the explorer in one step. */
const LEASE_MS = 3_600_000;
const SLOW_MS = 600;
const BUDGET_MS = 10_000;
/** How long the target takes for an entry; from LATE_MS on, no attempt may start that takes so long. */
const RESPONSE_MS = 1;
const LATE_MS = 8999.5;
const LATE_RESPONSE_MS = 0.1;
/** A run that was woken stays longer than its wake stands for others: the explorer lets the wake end with the run. */
const LINGER_MS = 20;
const QUIET_TURNS = 3;
const log = createLog('error', {}, () => {});

const BEGIN = `
redis.call('FLUSHALL')
for at = 2, #ARGV do redis.call('XGROUP', 'CREATE', ARGV[at], ARGV[1], '0', 'MKSTREAM') end`;

/** All that the server has, but for times. */
const LOOK = `
local all = {}
local keys = redis.call('KEYS', '*')
table.sort(keys)
for _, key in ipairs(keys) do
  local kind = redis.call('TYPE', key).ok
  local value
  if string.find(key, ':pause:') then value = 'until later'
  elseif kind == 'string' then value = redis.call('GET', key)
  elseif kind == 'hash' then value = redis.call('HGETALL', key)
  else
    value = {redis.call('XRANGE', key, '-', '+')}
    for _, group in ipairs(redis.call('XINFO', 'GROUPS', key)) do
      local pending = {}
      for _, row in ipairs(redis.call('XPENDING', key, group[2], '-', '+', 100)) do pending[#pending + 1] = row[1] .. ' ' .. row[4] end
      value[#value + 1] = {group[2], group[8], pending}
    end
  end
  all[#all + 1] = {key, value}
end
return cjson.encode(all)`;

/** All that the server has, byte by byte: key, time to live and dump of each. */
const SAVE = `
local all = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  for _, part in ipairs({key, math.max(0, redis.call('PTTL', key)), redis.call('DUMP', key)}) do all[#all + 1] = part end
end
return all`;

const RESTORE = `
redis.call('FLUSHALL')
for at = 1, #ARGV, 3 do redis.call('RESTORE', ARGV[at], ARGV[at + 1], ARGV[at + 2]) end`;

/** Ends the leases of a run. ARGV its name in their tokens. */
const EXPIRE = `
for _, key in ipairs(redis.call('KEYS', '*')) do
  local isLease = redis.call('TYPE', key).ok == 'string' and string.find(redis.call('GET', key), ARGV[1], 1, true)
  if isLease or string.find(key, ARGV[1], 1, true) then redis.call('DEL', key) end
end`;

const NAMES = new Map(Object.entries({ ...leaseScripts, ...entryScripts }).map(([name, { source }]) => [source, name]));

/** What the server replied to a step, or how it refused it; undefined for a step that asks it nothing. */
type Heard = { reply: Reply } | { error: unknown } | undefined;

interface Outcome {
  readonly heard: Heard;
  /** Turns of the event loop until its actors rested. */
  readonly turns: number;
}

interface Saved {
  readonly words: (string | Buffer)[];
  readonly snapshot: string;
  /** What the actors did by themselves up to here. */
  readonly activity: number;
}

/** Runs of the real engine with its real scripts on a real redis-server, a producer and an operator, step by step. */
export class World implements Explored<Outcome, Saved> {
  readonly faults: string[] = [];
  /** What happened, a line a step. */
  readonly trace: string[] = [];
  readonly #redis: Redis;
  readonly #scope: Scope;
  readonly #actors: Actor[] = [];
  /** What the target was given, in order, by key. */
  readonly #taken = new Map<string, number[]>();
  #snapshot = '';
  /** Who holds which shard, by the server. */
  #holders = new Map<string, string>();
  /** The run that was started last by each wake key. */
  readonly #wakes = new Map<string, string>();
  #hasMishap = false;
  #isRetaking = false;

  private constructor(redis: Redis, scope: Scope) {
    this.#redis = redis;
    this.#scope = scope;
  }

  static async begin(redis: Redis, scope: Scope): Promise<World> {
    const world = new World(redis, scope);
    const { runs, isWoken, isPaused, hasGroup = true, entries } = scope;
    await world.#onServer(BEGIN, GROUP, ...(hasGroup ? world.#streams : []));
    if (!isWoken) for (const at of entries.keys()) await redis.send(addCommand(world.#entry(at)));
    for (let run = 0; run < runs; run++) world.#startRun('AB'[run]!);
    if (isWoken) world.#start('P', (actor) => world.#produce(actor));
    if (isPaused) world.#start('O', (actor) => world.#operate(actor));
    await world.#rest();
    await world.#look();
    return world;
  }

  steps(): Step[] {
    const perActor = this.#actors.map((actor) => this.#stepsOf(actor));
    // what touches nothing can come at once, where whoever does it can do nothing else
    return perActor.find((steps) => steps.length > 0 && steps.every(isOwn)) ?? perActor.flat();
  }

  async take(name: string): Promise<Outcome> {
    const heard = await this.#ask(name);
    if (heard) await this.#look();
    this.#do(name, heard);
    return { heard, turns: await this.#rest() };
  }

  async retake(name: string, { heard, turns }: Outcome): Promise<void> {
    this.#isRetaking = true;
    this.#do(name, heard);
    for (let done = 0; done < turns; done++) await turn();
    this.#isRetaking = false;
  }

  async save(): Promise<Saved> {
    const args = ['EVAL', SAVE, '0'];
    const decode = (reply: Reply) => reply as (string | Buffer)[];
    const words = await this.#redis.send({ key: '', args, asBytes: true, decode });
    return { words, snapshot: this.#snapshot, activity: this.#activity };
  }

  async restore({ words, snapshot, activity }: Saved): Promise<void> {
    if (this.#activity !== activity) throw new Error('The actors did not do again what they did');
    await this.#redis.send({ key: '', args: ['EVAL', RESTORE, '0', ...words], decode: String });
    this.#see(snapshot);
  }

  fingerprint(): string {
    const taken = [...this.#taken].map(([key, sequence]) => [key, sequence]);
    const actors = this.#actors.map(({ name, history }) => `${name} ${history}`).sort();
    const all = JSON.stringify([this.#snapshot, taken.sort(), actors, this.#hasMishap]);
    return createHash('sha1').update(all).digest('base64');
  }

  /** Without a mishap nothing is left, and nothing was done twice. After one, the next run on the schedule does what is left. */
  async finish(): Promise<void> {
    const { mishap, isPaused, entries } = this.#scope;
    const isSmooth = (mishap !== 'crash' && mishap !== 'stop') || !this.#hasMishap;
    if (!isSmooth || isPaused) {
      await this.#onServer(EXPIRE, '<');
      this.#startRun('Z');
      await this.#rest();
      for (let [next] = this.steps(); next; [next] = this.steps()) await this.take(next.name);
    }
    for (const [at, [, key]] of entries.entries()) {
      const times = (this.#taken.get(key) ?? []).filter((taken) => taken === at).length;
      if (times === 0) this.faults.push(`entry ${at} is left`);
      if (times > 1 && isSmooth) this.faults.push(`entry ${at} is done twice`);
    }
    if (/\["g","[^"]*",\["/.test(this.#snapshot)) this.faults.push('an entry is left pending');
    if (this.#holders.size > 0) this.faults.push('a lease is left');
  }

  #stepsOf(actor: Actor): Step[] {
    const { name, state, sent, calls, count } = actor;
    const steps: Step[] = [];
    const add = (what: string, touches: string[] = [], isRead = false) =>
      steps.push({ name: `${name} ${what}`, actor: name, touches, isRead });
    const { mishap } = this.#scope;
    const holds = [...this.#holders].filter(([, holder]) => holder.startsWith(`<${name}>`)).map(([stream]) => stream);
    if (sent[0]) add(`command ${count.commands + 1}`, [shardOf(sent[0].command.key)], isReading(sent[0].command));
    if (state === 'crashed' || state === 'stopped') {
      if (holds.length > 0) add('expire', holds);
      else if (state === 'stopped') for (const how of ['resume', 'resume-late']) add(how);
    }
    if (state === 'crashed' || state === 'ended') {
      const isForgotten = (wake: string) => !this.#snapshot.includes(`"${wake}"`);
      for (const [wake, run] of this.#wakes)
        if (run === name && !isForgotten(wake)) add(`forget ${wake}`, [shardOf(wake)]);
    }
    if (state !== 'working') return steps;
    for (const { number } of calls) add(`response ${number}`);
    if (steps.length === 0 && actor.nextTime < Infinity) add(`tick ${count.ticks + 1}`);
    const isRun = name !== 'P' && name !== 'O';
    // a run that crashes between two commands leaves the same wherever that is
    if (mishap && !this.#hasMishap && isRun && (mishap !== 'crash' || sent.length > 0)) add(mishap, ['mishap']);
    return steps;
  }

  /** What a step does on the server. */
  async #ask(name: string): Promise<Heard> {
    const [who, what, key] = name.split(' ');
    if (what === 'command') return this.#execute(this.#actorOf(name));
    if (what === 'expire') return { reply: await this.#onServer(EXPIRE, `<${who}>`) };
    if (what === 'forget') return { reply: await this.#redis.send({ key: '', args: ['DEL', key!], decode: String }) };
    return undefined;
  }

  /** What a step does to its actor, once the server has replied. */
  #do(name: string, heard: Heard): void {
    const [, what, number] = name.split(' ');
    const actor = this.#actorOf(name);
    if (what === 'command') return this.#hear(actor, heard!);
    this.trace.push(name);
    if (what === 'response') {
      const call = actor.calls.find((each) => each.number === Number(number))!;
      actor.calls = actor.calls.filter((each) => each !== call);
      actor.pass(actor.now < LATE_MS ? RESPONSE_MS : LATE_RESPONSE_MS, name, call.respond);
    } else if (what === 'tick') {
      actor.count.ticks++;
      actor.pass(Math.max(0, actor.nextTime - actor.now));
    } else if (what === 'resume' || what === 'resume-late') {
      actor.resume(LEASE_MS, what === 'resume-late');
    } else if (what !== 'expire' && what !== 'forget') {
      this.#hasMishap = true;
      if (what === 'crash') actor.crash();
      if (what === 'stop') actor.state = 'stopped';
      if (what === 'late') actor.pass(LATE_MS - actor.now);
      if (what === 'slow') actor.pass(SLOW_MS);
    }
  }

  #actorOf(step: string): Actor {
    return this.#actors.find(({ name }) => step.startsWith(`${name} `))!;
  }

  /** The server executes the next command of an actor. */
  async #execute(actor: Actor): Promise<Heard> {
    const { command } = actor.sent[0]!;
    const words = actor.encode(command);
    if (words[0] === 'EVALSHA') [words[0], words[1]] = ['EVAL', command.script!]; // as if the server knew it
    if (command.blockMs !== undefined) words.splice(words.indexOf('BLOCK'), 2);
    try {
      const { key, asBytes } = command;
      const reply = await this.#redis.send({ key, args: words, ...(asBytes && { asBytes }), decode: (reply) => reply });
      if (nameOf(command) === 'lookUpScript') {
        for (const row of (reply as [string, string[][]])[1]) row[1] = '0'; // no time passes
      }
      return { reply };
    } catch (error) {
      return { error };
    }
  }

  /** An actor hears what came of its next command. */
  #hear(actor: Actor, heard: NonNullable<Heard>): void {
    const { command, hear, fail } = actor.sent.shift()!;
    actor.encode(command); // its tokens get their names
    const number = ++actor.count.commands;
    const said = 'reply' in heard ? JSON.stringify(heard.reply) : String(heard.error);
    this.trace.push(`${actor.name} command ${number}: ${nameOf(command)} ${command.key} ${said}`);
    if ('error' in heard) return actor.tell(`${number} ${said}`, () => fail(heard.error));
    const waitedMs = heard.reply === null ? (command.blockMs ?? 0) : 0;
    actor.pass(waitedMs, `${number} ${said}`, () => hear(actor.decode(heard.reply)));
  }

  #startRun(name: string, lingerMs = 0): void {
    this.#start(name, (actor) => this.#run(actor, lingerMs));
  }

  #start(name: string, work: (actor: Actor) => Promise<void>): void {
    const actor = new Actor(name);
    this.#actors.push(actor);
    work(actor).then(
      () => (actor.state = 'ended'),
      (error: unknown) => {
        actor.state = 'ended';
        this.faults.push(`${name} fails: ${String(error)}`);
      },
    );
  }

  async #run(actor: Actor, lingerMs: number): Promise<void> {
    const { clock, redis, name } = actor;
    const settings = {
      ...{
        batchSize: this.#scope.batchSize ?? 10,
        concurrency: 2,
        maxDeliveries: 5,
        backoffMs: 1,
        leaseMs: LEASE_MS,
        trim: false,
      },
      ...{ refusalLimit: 20, lingerMs, budgetMs: this.#budgetMs, bodyBytes: 2 ** 20, viewLimit: 100, startId: '0' },
    };
    const shards = this.#streams.map((stream) => {
      const options = { stream, group: GROUP, deadLetterStream: deadLetterStreamOf(stream, GROUP), keyFields: ['k'] };
      return { stream, group: new RedisGroup(redis, { ...options, ...settings }) };
    });
    const process = (entry: Entry, attempt: Attempt) => this.#process(actor, entry, attempt);
    const startSuccessor = async () => this.#startRun(`${name}'`, lingerMs);
    await consume({ shards, target: { keyFields: ['k'], process }, settings, log, clock, startSuccessor });
  }

  /** The target is given an entry, and takes it at once; its response is a step. */
  #process(actor: Actor, entry: Entry, { stream, signal }: Attempt): Promise<void> {
    actor.activity++;
    const at = Number(fieldOf(entry, 'n'));
    const [, key] = this.#scope.entries[at]!;
    const ofKey = this.#taken.get(key) ?? [];
    const holder = this.#holders.get(stream) ?? 'nobody';
    const isHolder = this.#isRetaking || holder.startsWith(`<${actor.name}>`);
    if (!isHolder) this.faults.push(`${actor.name} works on ${stream}, which ${holder} holds`);
    if (ofKey.some((other) => other > at)) this.faults.push(`entry ${at} is out of order`);
    this.#taken.set(key, [...ofKey, at]);
    this.trace.push(`  the target takes entry ${at} from ${actor.name}`);
    return new Promise((resolve, reject) => {
      const call = { number: ++actor.count.calls, respond: resolve };
      actor.calls.push(call);
      signal.addEventListener('abort', () => {
        actor.calls = actor.calls.filter((each) => each !== call);
        reject(new Error('aborted'));
      });
    });
  }

  /** Adds entries, and invokes the consumer wherever it is to. */
  async #produce({ redis }: Actor): Promise<void> {
    for (const at of this.#scope.entries.keys()) {
      const entry = this.#entry(at);
      const added = redis.send(addCommand(entry));
      const [[wake]] = await Promise.all([claimWakes(redis, [entry.stream], GROUP, { log }), added]);
      if (wake === undefined) continue;
      this.#wakes.set(wake, `W${at}`);
      this.#startRun(`W${at}`, LINGER_MS);
    }
  }

  async #operate({ redis }: Actor): Promise<void> {
    await pause(redis, this.#streams, GROUP, LEASE_MS);
    await resume(redis, this.#streams, GROUP);
  }

  /** Until nobody does anything more by himself. Returns after how many turns that was. */
  async #rest(): Promise<number> {
    let [turns, last, before] = [0, 0, this.#activity];
    while (turns < last + QUIET_TURNS) {
      await turn();
      turns++;
      if (this.#activity !== before) [last, before] = [turns, this.#activity];
    }
    return last;
  }

  get #activity(): number {
    return this.#actors.reduce((sum, actor) => sum + actor.activity, 0);
  }

  async #look(): Promise<void> {
    this.#see(await this.#onServer(LOOK));
  }

  #see(snapshot: string): void {
    this.#snapshot = snapshot;
    const all = JSON.parse(this.#snapshot) as [string, unknown][];
    const leases = all.filter(([key]) => key.includes(':lease:'));
    this.#holders = new Map(leases.map(([key, token]) => [shardOf(key), token as string]));
  }

  async #onServer(script: string, ...args: string[]): Promise<string> {
    return this.#redis.send({ key: '', args: ['EVAL', script, '0', ...args], decode: String });
  }

  get #streams(): string[] {
    return Array.from({ length: this.#scope.shards }, (_, shard) => `s:${shard}`);
  }

  /** Long enough that a stopped run goes on after its lease. */
  get #budgetMs(): number {
    return this.#scope.mishap === 'stop' ? 100 * LEASE_MS : BUDGET_MS;
  }

  #entry(at: number): Added {
    const [shard, key] = this.#scope.entries[at]!;
    return { stream: `s:${shard}`, words: [`${at + 1}-0`, 'k', key, 'n', String(at)] };
  }
}

interface Added {
  stream: string;
  words: string[];
}

const addCommand = ({ stream, words }: Added) => ({ key: stream, args: ['XADD', stream, ...words], decode: String });

const nameOf = ({ script = '', args }: Command<unknown>) => NAMES.get(script) ?? String(args[0]);

const shardOf = (key: string): string => /s:\d/.exec(key)![0];

/** Whether nobody else can notice it. */
const isOwn = ({ touches }: Step) => touches.length === 0 || touches[0] === 'mishap';

const isReading = ({ script, args }: { script?: string; args: readonly unknown[] }): boolean =>
  script === undefined ? args[0] === 'GET' : script.startsWith('#!lua flags=no-writes');
