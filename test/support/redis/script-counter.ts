import { readFile, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';

/* What the scripts of the functions look at, counted on the server, in the scripts themselves. */

/** The most that one script may look at; one larger entry may come on top. */
export const MAX_ITEMS = 1000;
export const MAX_BYTES = 256 * 1024;

/** What one script looked at. */
export interface Look {
  /** Its first line of code. */
  readonly script: string;
  /** Entries, pending rows, groups and ids, each once. */
  readonly items: number;
  /** Text of the entries that it read or wrote, each once. */
  readonly bytes: number;
  /** The largest of them. */
  readonly largest: number;
  /** Commands that it ran. */
  readonly calls: number;
  /** Commands that go through all of a pending list. */
  readonly faults: readonly string[];
}

/** Whether a script kept within its bounds. */
export function isBounded({ items, bytes, largest, faults }: Look): boolean {
  return items <= MAX_ITEMS && (bytes <= MAX_BYTES || bytes - largest <= MAX_BYTES) && faults.length === 0;
}

/** A Redis whose scripts count what they look at. */
export interface CountedRedis {
  /** The server itself: what is sent there is not counted. */
  readonly server: RedisServer;
  /** What to connect to so that scripts are counted. */
  readonly url: string;
  /** Scripts that ended since the last call, but for those that raised an error. */
  takeLooks(): Promise<Look[]>;
  /** The server is killed instead of running the script after this many. */
  killAfter(scripts: number): void;
  stop(): Promise<void>;
}

/** Stands in for `redis` in a script, and counts. */
const COUNTER = String.raw`
local counted = (function(real)
  local look = {items = 0, bytes = 0, largest = 0, calls = 0}
  local seen, faults = {}, {}
  local function see(key, id, bytes)
    local name = key .. '\0' .. id
    if not seen[name] then
      seen[name] = 0
      look.items = look.items + 1
    end
    if bytes > seen[name] then
      look.bytes = look.bytes + bytes - seen[name]
      look.largest = math.max(look.largest, bytes)
      seen[name] = bytes
    end
  end
  local function sizeOf(texts)
    local bytes = 0
    for _, text in ipairs(texts) do bytes = bytes + #tostring(text) end
    return bytes
  end
  local function seeEntries(key, entries)
    for _, entry in ipairs(entries) do
      if type(entry) == 'table' then see(key, entry[1], sizeOf(entry[2] or {})) end
      if type(entry) == 'string' then see(key, entry, 0) end
    end
  end
  local function seeIds(key, args, first)
    for at = first, #args do
      if not string.find(tostring(args[at]), '^%d+%-?%d*$') then return end
      see(key, tostring(args[at]), 0)
    end
  end
  local function count(args, reply)
    local command, key = string.upper(args[1]), tostring(args[2])
    look.calls = look.calls + 1
    local list = type(reply) == 'table' and not reply.err and reply or {}
    if command == 'XRANGE' or command == 'XREVRANGE' then seeEntries(key, list) end
    if command == 'XREADGROUP' or command == 'XREAD' then
      for _, stream in ipairs(list) do seeEntries(stream[1], stream[2]) end
    end
    if command == 'XCLAIM' then
      seeIds(key, args, 6)
      seeEntries(key, list)
    end
    if command == 'XAUTOCLAIM' then
      local most = 100
      for at = 7, #args - 1 do if string.upper(args[at]) == 'COUNT' then most = tonumber(args[at + 1]) end end
      if most * 10 > ${MAX_ITEMS} then faults['XAUTOCLAIM COUNT ' .. most] = true end
      seeEntries(key, list[2] or {})
      seeEntries(key, list[3] or {})
    end
    if command == 'XPENDING' then
      if #args == 3 then faults['XPENDING without a range'] = true end
      if string.upper(tostring(args[4])) == 'IDLE' then faults['XPENDING IDLE'] = true end
      if #args > 3 then for _, row in ipairs(list) do see(key, row[1], 0) end end
    end
    if command == 'XACK' then seeIds(key, args, 4) end
    if command == 'XDEL' then seeIds(key, args, 3) end
    if command == 'XTRIM' then look.items = look.items + (tonumber(reply) or 0) end
    if command == 'XADD' then
      local words = {}
      for at = 3, #args do words[#words + 1] = args[at] end
      see(key, tostring(reply), sizeOf(words))
    end
    if command == 'XINFO' then
      for at in ipairs(list) do see(tostring(args[3]), 'info:' .. at, 0) end
    end
    for _, name in ipairs({'HGETALL', 'HKEYS', 'HVALS', 'LRANGE', 'SMEMBERS', 'ZRANGE'}) do
      if command == name then look.items = look.items + #list end
    end
    return reply
  end
  return {
    redis = setmetatable({
      call = function(...) return count({...}, real.call(...)) end,
      pcall = function(...) return count({...}, real.pcall(...)) end,
    }, {__index = real}),
    report = function()
      for fault in pairs(faults) do
        look.faults = look.faults or {}
        look.faults[#look.faults + 1] = fault
      end
      real.log(real.LOG_WARNING, 'LOOK ' .. cjson.encode(look))
    end,
  }
end)(redis)
`;

/**
 * The same script, which counts what it looks at and writes that to the server's log.
 *
 * @param name what the log calls it
 */
function counting(script: string): string {
  const [shebang, body] = script.startsWith('#!') ? splitLine(script) : ['', script];
  const name = JSON.stringify(/^\s*(?:--.*\n\s*)*(.{0,80})/.exec(body)![1]!.replaceAll(/[^ -~]/g, ' '));
  return `${shebang}${COUNTER}
local function body(redis)
${body}
end
local reply = body(counted.redis)
redis.log(redis.LOG_WARNING, 'SCRIPT ' .. ${name})
counted.report()
return reply`;
}

function splitLine(text: string): [line: string, rest: string] {
  const end = text.indexOf('\n') + 1;
  return [text.slice(0, end), text.slice(end)];
}

/** Starts a server, which keeps its data when it is killed, and a way to it on which scripts count. */
export async function startCountedRedis(): Promise<CountedRedis> {
  const logFile = join(tmpdir(), `redis-log-${randomUUID()}`);
  await writeFile(logFile, '');
  const server = await startRedisServer({ args: ['--logfile', logFile, '--appendfsync', 'always'], durable: true });
  const sockets = new Set<Socket>();
  let scriptsLeft = Infinity;
  const proxy = net.createServer((client) => {
    const upstream = net.connect(server.port, '127.0.0.1');
    const rewrite = rewriter(
      (bytes) => upstream.write(bytes),
      () => {
        if (scriptsLeft-- === 0) void server.kill();
      },
    );
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.on('data', rewrite);
    upstream.pipe(client);
  });
  proxy.listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  let read = 0;
  return {
    server,
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async takeLooks() {
      const log = await readFile(logFile, 'utf8');
      const lines = log.slice(read);
      read = log.length;
      return Array.from(lines.matchAll(/SCRIPT (.*)\n.*LOOK (.*)\n/g), ([, script, look]) => {
        const { faults = [], ...counts } = JSON.parse(look!) as Omit<Look, 'script' | 'faults'> & Partial<Look>;
        return { ...counts, faults, script: script! };
      });
    },
    killAfter: (scripts) => void (scriptsLeft = scripts),
    async stop() {
      sockets.forEach((socket) => socket.destroy());
      proxy.close();
      await server.stop();
      await rm(logFile);
    },
  };
}

/** Takes what a client sends, and hands on each command with its script replaced; `onScript` comes before. */
function rewriter(write: (bytes: Buffer) => void, onScript: () => void): (chunk: Buffer) => void {
  let rest: Buffer[] = [];
  let size = 0;
  let needed = 0;
  return (chunk) => {
    rest.push(chunk);
    size += chunk.length;
    if (size < needed) return;
    let bytes = Buffer.concat(rest);
    for (;;) {
      const command = readCommand(bytes);
      if (!Array.isArray(command)) {
        [rest, size, needed] = [[bytes], bytes.length, command];
        return;
      }
      const [words, length] = command;
      if (/^EVAL(_RO)?$/i.test(String(words[0]))) {
        onScript();
        words[1] = Buffer.from(counting(String(words[1])));
        write(Buffer.concat([Buffer.from(`*${words.length}\r\n`), ...words.flatMap(bulk)]));
      } else {
        write(bytes.subarray(0, length));
      }
      bytes = bytes.subarray(length);
    }
  };
}

const bulk = (word: Buffer) => [Buffer.from(`$${word.length}\r\n`), word, Buffer.from('\r\n')];

/** The first command of what arrived, and its length; or how many bytes are needed to read on. */
function readCommand(bytes: Buffer): [words: Buffer[], length: number] | number {
  const more = bytes.length + 1;
  let end = bytes.indexOf('\r\n');
  if (end < 0) return more;
  const count = Number(bytes.toString('latin1', 1, end));
  const words: Buffer[] = [];
  for (let at = end + 2; words.length < count;) {
    end = bytes.indexOf('\r\n', at);
    if (end < 0) return more;
    const [start, length] = [end + 2, Number(bytes.toString('latin1', at + 1, end))];
    at = start + length + 2;
    if (at > bytes.length) return at;
    words.push(bytes.subarray(start, start + length));
    end = at - 2;
  }
  return [words, end + 2];
}
