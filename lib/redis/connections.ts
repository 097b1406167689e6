import { isDeepStrictEqual } from 'node:util';
import { forgetConfig } from '../config/config.ts';
import type { ConnectorSecret } from '../config/config.schema.ts';
import { ConnectorError } from '../core/errors.ts';
import { withSpan } from '../core/span.ts';
import { UnderWay } from '../core/under-way.ts';
import type { Invocation } from '../invocation/invocation.ts';
import { isRefusedLogin, missingCapability } from './errors.ts';
import { Pool } from './pool.ts';
import type { Command, Redis } from './redis.ts';
import { decodeReply } from './reply-shapes.ts';
import { spanOfCommand } from './span.ts';

/** The parts of an invocation that a connection needs. */
type Caller = Pick<Invocation, 'configRef' | 'config' | 'deadline'>;

/** Number of configurations whose connections are kept; more could fill a server with clients. */
const MAX_POOLS = 50;
/** By configRef, the last used one at the end. */
const pools = new Map<string, Pool>();
/** What follows those whose login was refused: hundreds of commands may be refused at once. */
const reopened = new UnderWay<Pool, Pool>();

/**
 * Opens Redis for an operation: `Open<Redis>` of an endpoint. The first command that needs a connection makes it.
 *
 * @throws {ConnectorError} `CONNECTOR:CONFIGURATION` if the secret has no Redis.
 */
export function openRedis(caller: Caller): Redis | Promise<Redis> {
  const pool = openPool(caller); // a warm call need not wait
  return pool instanceof Promise ? pool.then((pool) => clientOf(caller, pool)) : clientOf(caller, pool);
}

function clientOf(caller: Caller, opened: Pool): Redis {
  let pool = opened;
  const send = <T>(command: Command<T>): Promise<T> => {
    const bound = pool.config.commandTimeoutMs + (command.blockMs ?? 0);
    const budget = caller.deadline.orAfter(bound);
    const used = pool;
    return used.send(command, budget).then(
      (reply) => decodeReply(command, reply),
      async (error: unknown) => {
        if (!isRefusedLogin(error)) throw missingCapability(error, command) ?? error;
        pool = await reopened.share(used, async () => {
          forgetConfig(caller.configRef); // the password may have changed
          return openPool(caller);
        });
        return decodeReply(command, await pool.send(command, budget));
      },
    );
  };
  return {
    slotOf: pool.slotOf,
    send: (command) =>
      withSpan(
        () => spanOfCommand(command, pool.config),
        () => send(command),
      ),
  };
}

function openPool(caller: Caller): Pool | Promise<Pool> {
  const config = caller.config();
  if (config instanceof Promise) return config.then((config) => poolOf(caller.configRef, config));
  return poolOf(caller.configRef, config);
}

/**
 * The pool of a configuration. It keeps its connections if the secret was read again without a change. The connections
 * of the configuration unused for longest end when their commands have.
 */
function poolOf(configRef: string, { redis: config }: ConnectorSecret): Pool {
  if (!config)
    throw new ConnectorError('CONNECTOR:CONFIGURATION', `The secret of configRef ${configRef} has no redis part`);
  const known = pools.get(configRef);
  const isSame = known !== undefined && isDeepStrictEqual(known.config, config);
  const pool = isSame ? known : new Pool(config);
  if (!isSame) known?.retire();
  pools.delete(configRef);
  pools.set(configRef, pool);
  if (pools.size > MAX_POOLS) {
    const [[oldest, unused]] = pools as unknown as [[string, Pool]];
    pools.delete(oldest);
    unused.retire();
  }
  return pool;
}
