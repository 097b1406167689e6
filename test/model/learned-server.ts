import type { Command, Redis, Reply } from '#lib/redis/redis.ts';
import type { Heard } from './actor.ts';

/** All that the server has, but for times: key and value of each. */
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

/** All that the server has, byte by byte: key, time to live and dump of each. Nothing expires by itself. */
const SAVE = `
local all = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  local ttl = redis.call('PTTL', key) > 0 and 3600000 or 0
  for _, part in ipairs({key, ttl, redis.call('DUMP', key)}) do all[#all + 1] = part end
end
return all`;

const RESTORE = `
redis.call('FLUSHALL')
for at = 1, #ARGV, 3 do redis.call('RESTORE', ARGV[at], ARGV[at + 1], ARGV[at + 2]) end`;

/** What the server has. */
export interface Stored {
  readonly id: number;
  /** All keys and their values, but for times. */
  readonly text: string;
  readonly keys: ReadonlySet<string>;
  /** The run that holds the lease of a stream. */
  readonly holders: ReadonlyMap<string, string>;
  /** The run that asks for a shard, by the key that says so. */
  readonly askers: ReadonlyMap<string, string>;
  /** Key, time to live and dump of each key. */
  readonly dump: readonly (string | Buffer)[];
  /** What it answered to a command. */
  readonly answers: Map<string, Promise<Answer>>;
}

/** A command as the server gets it. */
interface Asked extends Pick<Command<unknown>, 'asBytes'> {
  readonly words: readonly string[];
  /** Takes out of the reply what depends on the time. */
  readonly alter?: ((reply: Reply) => Reply) | undefined;
}

export interface Answer {
  readonly heard: Heard;
  /** The same in words. */
  readonly said: string;
  readonly stored: Stored;
}

/**
 * A redis-server that is asked once for each command in each of its states: it knows nothing but what it has stored, so
 * its answer is the same the next time.
 */
export class LearnedServer {
  readonly #redis: Redis;
  readonly #stored = new Map<string, Stored>();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** What the server has after these commands, beginning with nothing. */
  async first(commands: readonly (readonly string[])[]): Promise<Stored> {
    let stored = this.#learn('[]', []);
    for (const words of commands) ({ stored } = await this.after(stored, words.join(' '), () => ({ words })));
    return stored;
  }

  /**
   * What the server answers to a command where it has this, and what it has then.
   *
   * @param text the same for the same command
   */
  after(stored: Stored, text: string, command: () => Asked): Promise<Answer> {
    const known = stored.answers.get(text) ?? this.#ask(stored, command());
    stored.answers.set(text, known);
    return known;
  }

  async #ask({ dump }: Stored, { words, asBytes, alter = (reply) => reply }: Asked): Promise<Answer> {
    const [, heard, text, saved] = await Promise.all([
      this.#send(['EVAL', RESTORE, '0', ...dump]),
      this.#send(words, asBytes).then(
        (reply): Heard => ({ reply: alter(reply) }),
        (error: unknown): Heard => ({ error }),
      ),
      this.#send(['EVAL', LOOK, '0']),
      this.#send(['EVAL', SAVE, '0'], true),
    ]);
    const said = 'reply' in heard ? JSON.stringify(heard.reply) : String(heard.error);
    return { heard, said, stored: this.#learn(text as string, saved as (string | Buffer)[]) };
  }

  #learn(text: string, dump: Stored['dump']): Stored {
    const known = this.#stored.get(text);
    if (known) return known;
    const all = JSON.parse(text) as [string, unknown][];
    const leases = all.filter(([key]) => key.includes(':lease:')) as [string, string][];
    const holders = new Map(leases.map(([key, token]) => [/s:\d/.exec(key)![0], /<(.*?)>/.exec(token)![1]!]));
    const asked = all.filter(([key]) => key.includes(':asked:')) as [string, string][];
    const askers = new Map(asked.map(([key, run]) => [key, /<(.*?)>/.exec(run)![1]!]));
    const keys = new Set(all.map(([key]) => key));
    const stored = {
      id: this.#stored.size,
      text,
      keys,
      holders,
      askers,
      dump,
      answers: new Map<string, Promise<Answer>>(),
    };
    this.#stored.set(text, stored);
    return stored;
  }

  #send(args: readonly (string | Buffer)[], asBytes?: Command<unknown>['asBytes']): Promise<Reply> {
    return this.#redis.send({ key: '', args, ...(asBytes && { asBytes }), decode: (reply) => reply });
  }
}
