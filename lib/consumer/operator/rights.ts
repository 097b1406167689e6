import { CAUSES } from '../../contract/causes.ts';
import { ConnectorError } from '../../core/errors.ts';
import { findLacks, isUnavailable, type Lack, type NeededCall } from '../../redis/acl.ts';
import { addressOf } from '../../redis/options.ts';
import type { Redis } from '../../redis/redis.ts';
import type { RedisConfig } from '../../config/config.schema.ts';
import { lettersOf } from '../dead-letters/letter.ts';
import { leaseKeyOf } from '../redis-keys.ts';
import { RIGHTS_OF_CONSUMER } from './rights.generated.ts';

/** Commands that only some runs need: to trim, and to make a missing group. */
const NOT_ALWAYS = new Set(['xtrim', 'xgroup|create']);

/** A shard, and the stream of its dead letters if it is not the group's own. */
interface Shard {
  readonly stream: string;
  readonly group: string;
  readonly deadLetterStream?: string;
}

/** The calls with these rights: commands of streams on the shard, others on keys in its slot. */
export const callsWith = (rights: string, { stream, group }: Shard): NeededCall[] =>
  rights.split(' ').map((right) => {
    return { right, key: right.startsWith('x') ? stream : leaseKeyOf(stream, group) };
  });

/** The calls of a run, which also writes dead letters. */
export function callsOfRun(shard: Shard): NeededCall[] {
  const { deadLetterStream } = lettersOf(shard, shard.deadLetterStream);
  return [...callsWith(RIGHTS_OF_CONSUMER, shard), { right: 'xadd', key: deadLetterStream }];
}

/** Configurations whose user has what a run needs, or of which the server does not say. */
const checked = new WeakSet<RedisConfig>();

/**
 * Refuses a run whose Redis user lacks a right, before it reads anything. Otherwise it would read entries that it can
 * neither acknowledge nor claim. Asks once per configuration and container.
 *
 * @throws {ConnectorError} `STREAM:COMMAND` (502), which names each missing right
 */
export async function refuseMissingRights(redis: Redis, config: RedisConfig, shard: Shard): Promise<void> {
  if (checked.has(config)) return;
  const { user } = addressOf(config);
  const needed = callsOfRun(shard).filter(({ right }) => /^x/.test(right) && !NOT_ALWAYS.has(right));
  const lacks = await findLacks(redis, user, needed).catch((error: unknown) => {
    if (isUnavailable(error)) return []; // then the command that lacks the right fails
    throw error;
  });
  if (lacks.length > 0) throw lacksRights(user, lacks);
  checked.add(config);
}

function lacksRights(user: string, lacks: readonly Lack[]): ConnectorError {
  const commands = lacks.filter(({ kind: of }) => of === 'command').map(({ right }) => `+${right}`);
  const keys = lacks.filter(({ kind: of }) => of === 'key').map(({ key }) => `the key ${key}`);
  const lacking = [...new Set([...commands, ...keys])].join(', ');
  const message = `The Redis user ${user} has no permission for what a run needs: it lacks ${lacking}`;
  const { hint } = CAUSES['redis-right'];
  return new ConnectorError('STREAM:COMMAND', message, { status: 502, temporary: false, upstreamCode: 'NOPERM', hint });
}
