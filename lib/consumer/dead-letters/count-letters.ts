import type { DeadLetterCount } from '../../contract/parameters/status.ts';
import type { Command, Redis, Reply } from '../../redis/redis.ts';
import type { Origin } from './letter.ts';
import { deadLetterStreamOf } from '../redis-keys.ts';
import { PageSize } from '../page-size.ts';

/** Dead letters that are counted by reason; of more, the latest. */
const MAX_LETTERS = 10_000;
/** Reasons that are listed; the rest are counted together. */
const MAX_REASONS = 20;
const OTHERS = '(other reasons)';

/**
 * KEYS dead letters; ARGV before, count, stream, group, 1 where letters without an origin count. Returns the last id of
 * the page, its entries, its bytes; then type, reason and number for each reason. Bodies stay on the server.
 */
const COUNT = `#!lua flags=no-writes
local page = redis.call('XREVRANGE', KEYS[1], ARGV[1], '-', 'COUNT', ARGV[2])
local bytes, order, counts = 0, {}, {}
for _, letter in ipairs(page) do
  local own = {['dl-stream'] = '', ['dl-group'] = '', ['dl-error-type'] = '', ['dl-reason'] = ''}
  for at = 1, #letter[2], 2 do
    local name, value = letter[2][at], letter[2][at + 1]
    bytes = bytes + #name + #value
    if own[name] then own[name] = string.sub(value, 1, 1000) end
  end
  local function isOf(name, meant) return own[name] == meant or own[name] == '' and ARGV[5] == '1' end
  if isOf('dl-stream', ARGV[3]) and isOf('dl-group', ARGV[4]) then
    local why = own['dl-error-type'] .. '\\n' .. own['dl-reason']
    if not counts[why] then
      counts[why] = 0
      order[#order + 1] = {why, own['dl-error-type'], own['dl-reason']}
    end
    counts[why] = counts[why] + 1
  end
end
local reply = {#page > 0 and page[#page][1] or '', #page, bytes}
for _, row in ipairs(order) do
  for _, value in ipairs({row[2], row[3], counts[row[1]]}) do reply[#reply + 1] = value end
end
return reply`;

interface Page {
  lastId: string;
  entries: number;
  bytes: number;
  counts: DeadLetterCount[];
}

/**
 * The dead letters of a group by type and reason, the most frequent first: of the latest 10,000, the 20 most frequent
 * reasons, and the rest as one. Reads only.
 */
export async function countDeadLetters(redis: Redis, origin: Origin, stream: string): Promise<DeadLetterCount[]> {
  const total = new Map<string, DeadLetterCount>();
  const size = new PageSize();
  let [before, seen] = ['+', 0];
  for (let isLast = false; !isLast && seen < MAX_LETTERS;) {
    const { lastId, entries, bytes, counts } = await redis.send(countCommand(origin, stream, before, size.count));
    for (const row of counts) {
      const key = `${row.errorType}\n${row.reason}`;
      const known = total.get(key);
      if (known) known.count += row.count;
      else total.set(key, row);
    }
    seen += entries;
    before = `(${lastId}`;
    isLast = size.learn(entries, bytes);
  }
  return mostFrequent([...total.values()]);
}

function mostFrequent(counts: DeadLetterCount[]): DeadLetterCount[] {
  const sorted = counts.sort((a, b) => b.count - a.count);
  const rest = sorted.slice(MAX_REASONS).reduce((sum, { count }) => sum + count, 0);
  const listed = sorted.slice(0, MAX_REASONS);
  return rest === 0 ? listed : [...listed, { errorType: OTHERS, reason: OTHERS, count: rest }];
}

function countCommand({ stream, group }: Origin, key: string, before: string, count: number): Command<Page> {
  const mayBeUnnamed = key === deadLetterStreamOf(stream, group) ? '1' : '0';
  const args = ['EVAL_RO', COUNT, '1', key, before, String(count), stream, group, mayBeUnnamed];
  return { key, script: COUNT, args, decode };
}

function decode(reply: Reply): Page {
  const [lastId, entries, bytes, ...rows] = reply as string[];
  const counts: DeadLetterCount[] = [];
  for (let at = 0; at < rows.length; at += 3) {
    counts.push({ errorType: rows[at]!, reason: rows[at + 1]!, count: Number(rows[at + 2]) });
  }
  return { lastId: lastId!, entries: Number(entries), bytes: Number(bytes), counts };
}
