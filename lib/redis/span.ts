import { ConnectorError } from '../core/errors.ts';
import type { SpanOptions } from '../core/span.ts';
import type { RedisConfig } from '../config/config.schema.ts';
import type { Command } from './redis.ts';

/** Commands whose second word is part of their name. */
const CONTAINERS = new Set(['XGROUP', 'XINFO', 'ACL', 'CLUSTER', 'COMMAND']);

/** The span of a command or a script: its name and the server, and none of its arguments. */
export function spanOfCommand({ args, transaction }: Command<unknown>, config: RedisConfig): SpanOptions {
  const name = transaction ? 'MULTI' : args.slice(0, CONTAINERS.has(String(args[0])) ? 2 : 1).join(' ');
  return {
    name,
    kind: 'CLIENT',
    isExpected: isUnknownScript,
    attributes: {
      'db.system.name': 'redis',
      'db.operation.name': name,
      ...(transaction && { 'db.operation.batch.size': transaction.length }),
      ...serverOf(config),
    },
  };
}

/** A script that the server does not know yet is sent whole. */
const isUnknownScript = (error: unknown) => error instanceof ConnectorError && error.upstreamCode === 'NOSCRIPT';

/** Only a standalone server is known before a command is sent. */
function serverOf({ mode, url }: RedisConfig): Record<string, string | number> {
  if (mode !== 'standalone') return {};
  const { hostname, port } = new URL(url!);
  return { 'server.address': hostname, 'server.port': Number(port || 6379) };
}
