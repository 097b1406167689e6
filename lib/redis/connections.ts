import { isDeepStrictEqual } from 'node:util';
import { forgetConfig, readConfig } from '../runtime/config.ts';
import type { RedisConfig } from '../runtime/config.schema.ts';
import { Deadline } from '../core/deadline.ts';
import { ConnectorError } from '../core/errors.ts';
import type { Invocation } from '../runtime/invocation.ts';
import { Connection } from './connection.ts';
import { isRefusedLogin } from './errors.ts';
import type { Command, Redis, Reply } from './redis.ts';
import { slotOf } from './slot.ts';

/** The connections of one configuration, kept from one invocation of the container to the next. */
interface Pool {
  config: RedisConfig;
  /** Carries all commands that do not block, any number at a time. */
  shared: Connection | undefined;
  /** A blocking command stalls what is behind it, so it has a connection to itself. These wait for the next. */
  readonly resting: Connection[];
}

const pools = new Map<string, Pool>();

/**
 * Opens Redis for an operation: `Open<Redis>` of an endpoint. Connections are made by the first command that needs one.
 *
 * @throws {ConnectorError} `CONNECTOR:CONFIGURATION` where the secret names no Redis.
 */
export async function commandClient(invocation: Invocation): Promise<Redis> {
  let config = await readRedisConfig(invocation);
  return {
    slotOf: config.mode === 'cluster' ? slotOf : () => 0,
    async send(command) {
      const bound = config.commandTimeoutMs + (command.blockMs ?? 0);
      const budget = Deadline.after(invocation.deadline.within(bound));
      try {
        return command.decode(await deliver(poolOf(invocation.configRef, config), command, budget));
      } catch (error) {
        if (!isRefusedLogin(error)) throw error;
        forgetConfig(invocation.configRef); // the password may have been changed since it was read
        config = await readRedisConfig(invocation);
        return command.decode(await deliver(poolOf(invocation.configRef, config), command, budget));
      }
    },
  };
}

async function readRedisConfig({ configRef, connector }: Invocation): Promise<RedisConfig> {
  const { redis } = await readConfig(configRef, connector);
  if (redis) return redis;
  throw new ConnectorError('CONNECTOR:CONFIGURATION', `The secret of configRef ${configRef} has no redis part`);
}

function poolOf(configRef: string, config: RedisConfig): Pool {
  const known = pools.get(configRef);
  if (known?.config === config) return known;
  if (known && isDeepStrictEqual(known.config, config)) {
    known.config = config; // read again, and the same
    return known;
  }
  known?.shared?.end();
  known?.resting.forEach((connection) => connection.end());
  const pool: Pool = { config, shared: undefined, resting: [] };
  pools.set(configRef, pool);
  return pool;
}

function deliver(pool: Pool, command: Command<unknown>, budget: Deadline): Promise<Reply> {
  return (command.blockMs === undefined ? sendShared : sendBlocking)(pool, command, budget);
}

function sendShared(pool: Pool, command: Command<unknown>, budget: Deadline): Promise<Reply> {
  const isAlive = pool.shared?.isAlive() ?? false;
  return typeof isAlive === 'boolean' ? sendNow() : isAlive.then(sendNow);

  function sendNow(): Promise<Reply> {
    if (!pool.shared?.isOpen) pool.shared = new Connection(pool.config);
    return pool.shared.send(command, budget.remainingMs());
  }
}

async function sendBlocking(pool: Pool, command: Command<unknown>, budget: Deadline): Promise<Reply> {
  const rested = pool.resting.pop();
  const connection = rested && (await rested.isAlive()) ? rested : new Connection(pool.config);
  try {
    return await connection.send(command, budget.remainingMs());
  } finally {
    if (connection.isOpen) pool.resting.push(connection);
  }
}
