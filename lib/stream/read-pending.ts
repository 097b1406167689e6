import type { PendingDelivery, PendingOverview } from '../contract/parameters/stream-info.ts';
import { ConnectorError } from '../core/errors.ts';
import { LAST_POSSIBLE_ID } from '../core/entry-id.ts';
import type { Redis } from '../redis/redis.ts';
import { MAX_RESPONSE_BYTES, type Output, type Travel } from '../invocation/output.ts';
import { xpendingOverviewCommand, xpendingRangeCommand, type XpendingParameters } from './commands/xpending-range.ts';
import { manyConsumers, readList } from './read-list.ts';
import { readPortion } from './read-range.ts';
import { readCount } from './watermarks.ts';

/** Maximum rows per request. */
const PORTION = 10_000;
/** Minimum bytes of a row's JSON besides its id and consumer. */
const ROW_BYTES = 45;
/** Maximum bytes of text to load: gzip makes a list of rows small. */
const MAX_TEXT_BYTES: Record<Travel, number> = {
  json: MAX_RESPONSE_BYTES,
  text: MAX_RESPONSE_BYTES,
  gzip: 4 * MAX_RESPONSE_BYTES,
};

/**
 * The pending entries of a group: a summary, or with a range the entries, in portions.
 *
 * @throws {ConnectorError} `STREAM:COMMAND` 413 if they fit into no response.
 */
export function readPending(
  redis: Redis,
  parameters: XpendingParameters,
  output: Output,
): Promise<PendingOverview | PendingDelivery[]> {
  const { key, group, start } = parameters;
  if (start !== undefined) return readRows(redis, parameters, output);
  return readList(redis, xpendingOverviewCommand(parameters), output, () => manyConsumers(redis, key, group));
}

async function readRows(redis: Redis, parameters: XpendingParameters, { travel }: Output): Promise<PendingDelivery[]> {
  const rows: PendingDelivery[] = [];
  let { start } = parameters;
  let left = MAX_TEXT_BYTES[travel];
  let count = readCount(parameters.count);
  for (;;) {
    const portion = Math.max(0, Math.min(count, PORTION));
    const { entries, asked } = await readPortion(redis, travel, portion, (most) =>
      xpendingRangeCommand({ ...parameters, start, count: most }),
    );
    for (const row of entries) {
      rows.push(row);
      left -= ROW_BYTES + row.id.length + row.consumer.length;
    }
    if (left < 0) throw await tooManyPending(redis, parameters);
    count -= entries.length;
    const last = entries.at(-1)?.id;
    if (entries.length < asked || count < 1 || last === undefined || last === LAST_POSSIBLE_ID) return rows;
    start = `(${last}`;
  }
}

async function tooManyPending(redis: Redis, parameters: XpendingParameters): Promise<ConnectorError> {
  const count = await redis.send(xpendingOverviewCommand(parameters)).then(
    ({ count }) => JSON.stringify(count),
    () => 'too many',
  );
  const message =
    `The response is over 6 MB: ${count} entries are pending. Ask for fewer with count; ` +
    'stream-xack removes processed entries from the list';
  return new ConnectorError('STREAM:COMMAND', message, { status: 413 });
}
