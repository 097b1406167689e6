import { isDeepStrictEqual } from 'node:util';
import { forgetConfig, knownConfig, readConfig } from '../runtime/config.ts';
import type { RedisConfig } from '../runtime/config.schema.ts';
import { ConnectorError } from '../core/errors.ts';
import type { Invocation } from '../runtime/invocation.ts';
import { isRefusedLogin, missingCapability } from './errors.ts';
import { Pool } from './pool.ts';
import type { Redis } from './redis.ts';
import { slotOf } from './slot.ts';

/** What a connection has to know of its invocation. */
type Caller = Pick<Invocation, 'configRef' | 'connector' | 'deadline'>;

const pools = new Map<string, Pool>();

/**
 * Opens Redis for an operation: `Open<Redis>` of an endpoint. Connections are made by the first command that needs one.
 *
 * @throws {ConnectorError} `CONNECTOR:CONFIGURATION` where the secret names no Redis.
 */
export function commandClient(caller: Caller): Redis | Promise<Redis> {
  const redis = knownConfig(caller.configRef)?.redis;
  if (redis) return clientOf(caller, poolOf(caller.configRef, redis));
  return openPool(caller).then((pool) => clientOf(caller, pool));
}

function clientOf(caller: Caller, opened: Pool): Redis {
  let pool = opened;
  return {
    slotOf: pool.config.mode === 'cluster' ? slotOf : () => 0,
    send(command) {
      const bound = pool.config.commandTimeoutMs + (command.blockMs ?? 0);
      const budget = caller.deadline.orAfter(bound);
      return pool.send(command, budget).then(
        (reply) => command.decode(reply),
        async (error: unknown) => {
          if (!isRefusedLogin(error)) throw missingCapability(error, command) ?? error;
          forgetConfig(caller.configRef); // the password may have been changed since it was read
          pool = await openPool(caller);
          return command.decode(await pool.send(command, budget));
        },
      );
    },
  };
}

async function openPool({ configRef, connector, deadline }: Caller): Promise<Pool> {
  const { redis } = await readConfig(configRef, connector, deadline);
  if (redis) return poolOf(configRef, redis);
  throw new ConnectorError('CONNECTOR:CONFIGURATION', `The secret of configRef ${configRef} has no redis part`);
}

/** The pool of a configuration. A secret that was read again and is the same keeps its connections. */
function poolOf(configRef: string, config: RedisConfig): Pool {
  const known = pools.get(configRef);
  if (known && isDeepStrictEqual(known.config, config)) return known;
  known?.retire();
  const pool = new Pool(config);
  pools.set(configRef, pool);
  return pool;
}
