#!lua flags=allow-oom
--[[
Reserves calls to the target by the generic cell rate algorithm: `due` is when the next call may start, in microseconds
since 1970 by Redis' clock.

KEYS: rate
ARGV: calls, calls per second, ms within which the last one must be able to start
Reply: number of reserved calls, and microseconds until the first may start
Rights: hget time
]]
-- @include ./write-for.lua
-- longest reservation ahead: a Lambda's longest life. A later one comes from a wrong clock
local MAX_AHEAD_US = 900 * 1000000
-- how long Redis keeps an unused rate
local REMEMBERED_MS = 900 * 1000
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local step = 1000000 / tonumber(ARGV[2])
local due = tonumber(redis.call('HGET', KEYS[1], 'due') or nil) or now
if due < now or due > now + MAX_AHEAD_US then due = now end
local inTime = math.floor((now + tonumber(ARGV[3]) * 1000 - due) / step) + 1
local calls = math.min(tonumber(ARGV[1]), inTime)
if calls < 1 then return {'0', '0'} end
local forMs = string.format('%.0f', (due - now) / 1000 + REMEMBERED_MS)
writeFor(forMs, KEYS[1], 'due', string.format('%.0f', due + calls * step), 'perSecond', ARGV[2])
return {string.format('%d', calls), string.format('%.0f', due - now)}
