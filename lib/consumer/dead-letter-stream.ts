import type { ConnectorError, Fault } from '../core/errors.ts';
import { refuse } from '../contract/connector.ts';
import type { Redis } from '../redis/redis.ts';
import { deadLetterStreamOf } from './names.ts';

/**
 * The stream of dead letters: the one that is asked for, or the group's own.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for one that an entry cannot go to in one step: a cluster allows that
 *   within a slot. `refuseSettings` makes another error of it.
 */
export function chooseDeadLetterStream(
  redis: Pick<Redis, 'slotOf'>,
  { stream, group, deadLetterStream }: { stream: string; group: string; deadLetterStream?: string },
  refuseSettings: (faults: readonly Fault[]) => ConnectorError = (faults) => refuse('stream', faults),
): string {
  const fault = (message: string) => refuseSettings([{ pointer: '/deadLetterStream', message }]);
  const chosen = deadLetterStream ?? deadLetterStreamOf(stream, group);
  if (chosen === stream) throw fault('must be another stream than stream');
  if (redis.slotOf(chosen) !== redis.slotOf(stream)) throw fault('must be in the slot of stream');
  return chosen;
}
