import { createHash } from 'node:crypto';
import type { ConnectorError } from '../core/errors.ts';
import type { Command, Lua, Redis, Reply } from './redis.ts';

/** A Lua script, which is atomic. Its keys are in one slot. */
export class Script<T> {
  readonly lua: Lua;
  readonly #sha: string;
  readonly #decode: (reply: Reply) => T;
  readonly #options: Pick<Command<T>, 'asBytes'>;
  readonly #carriesText: boolean;

  /** @param options.carriesText whether it always carries its text, so that it keeps its place among other commands */
  constructor(
    lua: Lua,
    decode: (reply: Reply) => T,
    { carriesText = false, ...options }: Pick<Command<T>, 'asBytes'> & { carriesText?: boolean } = {},
  ) {
    this.lua = lua;
    this.#options = options;
    this.#carriesText = carriesText;
    this.#sha = createHash('sha1').update(lua.source).digest('hex');
    this.#decode = decode;
  }

  /**
   * Runs it on the server. Sends its text only if the server does not know it yet, unless it always carries it.
   *
   * @throws {ConnectorError} `STREAM:*`
   */
  async run(redis: Redis, keys: readonly string[], args: readonly (string | number)[]): Promise<T> {
    if (this.#carriesText) return this.#send(redis, 'EVAL', this.lua.source, keys, args);
    try {
      return await this.#send(redis, 'EVALSHA', this.#sha, keys, args);
    } catch (error) {
      if ((error as ConnectorError).upstreamCode !== 'NOSCRIPT') throw error;
      return this.#send(redis, 'EVAL', this.lua.source, keys, args);
    }
  }

  #send(
    redis: Redis,
    command: 'EVAL' | 'EVALSHA',
    script: string,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<T> {
    return redis.send({
      key: keys[0]!,
      script: this.lua,
      args: [command, script, String(keys.length), ...keys, ...args.map(String)],
      decode: this.#decode,
      ...this.#options,
    });
  }
}

/**
 * A script as a command that always carries its text, for rare scripts.
 *
 * @param command `EVAL_RO` for a script that only reads: its user then needs no right to EVAL
 */
export function defineScript<T>(
  lua: Lua,
  decode: (reply: Reply) => T,
  command: 'EVAL' | 'EVAL_RO' = 'EVAL',
): (keys: readonly string[], args: readonly (string | number)[]) => Command<T> {
  return (keys, args) => ({
    args: [command, lua.source, String(keys.length), ...keys, ...args.map(String)],
    key: keys[0]!,
    script: lua,
    decode,
  });
}
