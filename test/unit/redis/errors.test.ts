import { describe, expect, it } from '@jest/globals';
import { SocketClosedUnexpectedlyError } from '@redis/client/dist/lib/errors.js';
import { ClientClosedError, SimpleError } from 'redis';
import { causesOf } from '#lib/core/errors.ts';
import { mapRedisError, replyTooLong } from '#lib/redis/errors.ts';

describe('a Redis error', () => {
  it.each([
    ['WRONGTYPE Operation against a key holding the wrong kind of value', 'STREAM:WRONG_TYPE', 409, false],
    ["NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option", 'STREAM:COMMAND', 404, false],
    ['UNBLOCKED the stream key no longer exists', 'STREAM:COMMAND', 404, false],
    ['UNBLOCKED force unblock from blocking operation, instance state changed', 'STREAM:COMMAND', 503, true],
    ['ERR max number of clients reached', 'STREAM:COMMAND', 503, true],
    ['MOVED 7186 10.0.0.1:6379', 'CONNECTOR:CONFIGURATION', 500, false],
    ['ERR DB index is out of range', 'CONNECTOR:CONFIGURATION', 500, false],
    ['ERR SELECT is not allowed in cluster mode', 'CONNECTOR:CONFIGURATION', 500, false],
    ['ERR no such key', 'STREAM:COMMAND', 404, false],
    ['ERR The XGROUP subcommand requires the key to exist. Note that for CREATE …', 'STREAM:COMMAND', 404, false],
    ['BUSYGROUP Consumer Group name already exists', 'STREAM:COMMAND', 409, false],
    ['WRONGPASS invalid username-password pair or user is disabled.', 'STREAM:COMMAND', 502, false],
    ['NOAUTH Authentication required.', 'STREAM:COMMAND', 502, false],
    ['ERR AUTH <password> called without any password configured for the default user.', 'STREAM:COMMAND', 502, false],
    ["NOPERM User x has no permissions to run the 'xadd' command", 'STREAM:COMMAND', 502, false],
    ['DENIED Redis is running in protected mode', 'STREAM:COMMAND', 502, false],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'STREAM:COMMAND', 503, true],
    ["READONLY You can't write against a read only replica.", 'STREAM:COMMAND', 503, true],
    ['LOADING Redis is loading the dataset in memory', 'STREAM:COMMAND', 503, true],
    ['CLUSTERDOWN The cluster is down', 'STREAM:COMMAND', 503, true],
    ["CROSSSLOT Keys in request don't hash to the same slot", 'STREAM:COMMAND', 422, false],
    ['ERR syntax error', 'STREAM:COMMAND', 422, false],
    ['ERR Invalid stream ID specified as stream command argument', 'STREAM:ARGUMENT', 400, false],
    ['ERR The ID specified in XADD is equal or smaller than the target stream top item', 'STREAM:ARGUMENT', 400, false],
    ['ERR The ID specified in XADD must be greater than 0-0', 'STREAM:ARGUMENT', 400, false],
    ['ERR value is not an integer or out of range', 'STREAM:ARGUMENT', 400, false],
  ])('a Redis error is mapped: %s', (message, type, status, temporary) => {
    const upstreamCode = message.split(' ')[0];

    expect(mapRedisError(new SimpleError(message))).toMatchObject({ type, status, temporary, upstreamCode });
  });

  it('a Redis error shows no cluster address and no position in a script', () => {
    expect(mapRedisError(new SimpleError('MOVED 7186 10.0.0.1:6379')).message).not.toContain('10.0.0.1');
    const error = new SimpleError('WRONGTYPE Operation script: 1f2e3d, on @user_script:12.');
    expect(mapRedisError(error).upstreamCode).toBe('WRONGTYPE');
    expect(mapRedisError(new SimpleError('OOM no more script: 1f2e3d, on @user_script:12.')).message).toBe(
      'OOM no more',
    );
  });

  it.each([
    'OOM no more script: on @user_script:12.', // Valkey 9.1
    'ERR user_script:12: attempt to index a nil value script: 1f2e3d, on @user_script:12.',
  ])('a Redis error shows neither digest nor line of a script: %s', (message) => {
    expect(mapRedisError(new SimpleError(message)).message).not.toMatch(/script/);
  });

  it.each(['', ' ', 'ERR'])('a Redis error has a detail even if the server gives none: "%s"', (message) => {
    expect(mapRedisError(new SimpleError(message)).message).toMatch(/\w+/);
  });

  it("a Redis error does not repeat a command's arguments", () => {
    const error = new SimpleError("ERR unknown command 'XADD', with args beginning with: 's' '*' 'iban' 'DE89'");

    expect(mapRedisError(error).message).toBe('Redis does not know this command');
    expect(causesOf(mapRedisError(error))).toEqual([expect.not.stringMatching(/iban|DE89/)]);
  });

  it.each([
    ['MOVED 7186 10.0.0.1:6379', 'refused'],
    ['ERR Invalid stream ID specified as stream command argument', 'refused'],
    ["READONLY You can't write against a read only replica.", 'refused'],
  ])('a Redis error says what the command did: %s, %s', (message, outcome) => {
    expect(mapRedisError(new SimpleError(message), { outcome: 'unknown' })).toMatchObject({ outcome });
  });

  it('a command on a connection that had ended was not sent', () => {
    expect(mapRedisError(new ClientClosedError(), { outcome: 'unknown' })).toMatchObject({ outcome: 'not-sent' });
  });

  it('a command whose reply is too large may have done its work', () => {
    expect(replyTooLong()).toMatchObject({ status: 413, outcome: 'unknown' });
  });

  it.each([
    [true, /^10.0.0.1:6379 is a replica: READONLY/],
    [false, /^READONLY/],
  ])('a write to a replica names its address, if the configuration does: %s', (isStandalone, beginning) => {
    const peer = { host: '10.0.0.1', port: 6379, isTls: false, isOpen: true };
    const error = new SimpleError("READONLY You can't write against a read only replica.");

    expect(mapRedisError(error, { peer, isStandalone }).message).toMatch(beginning);
  });
});

describe('a missing right inside a script', () => {
  const script = { source: '', rights: ['xack', 'xinfo|groups', 'xreadgroup'] };

  it.each([
    ["ERR ACL failure in script: User u has no permissions to run the 'xclaim' command", "run 'xclaim'", '+xclaim'],
    [
      "ERR ACL failure in script: User u has no permissions to run the 'xinfo|groups' command script: 6a6c, on " +
        '@user_script:1.',
      "run 'xinfo|groups'",
      '+xinfo|groups',
    ],
    [
      "ERR ERR ACL failure in script: User u has no permissions to run the 'xadd' command script: on @user_script:2.",
      "run 'xadd'",
      '+xadd',
    ],
    [
      "ERR The user executing the script can't run this command or subcommand script: 6a6c, on @user_script:1.",
      'run a command',
      '+xack +xinfo|groups +xreadgroup',
    ],
  ])(
    'a right that a script lacks is a 502 that names it, or all the script needs on Redis 7.0: %s',
    (message, what, needed) => {
      expect(mapRedisError(new SimpleError(message), { script })).toMatchObject({
        type: 'STREAM:COMMAND',
        status: 502,
        temporary: false,
        upstreamCode: 'NOPERM',
        message: `The Redis user has no permission to ${what} in a script: it needs ${needed}`,
      });
    },
  );

  it.each([
    'ERR ACL failure in script: No permissions to access a key script: 6a6c, on @user_script:1.',
    "ERR The user executing the script can't access at least one of the keys mentioned in the command arguments",
  ])('a key that a script may not access is a 502: %s', (message) => {
    expect(mapRedisError(new SimpleError(message), { script })).toMatchObject({
      status: 502,
      upstreamCode: 'NOPERM',
      message: 'The Redis user has no permission to access a key of the call in a script',
    });
  });
});

it.each([
  [new SocketClosedUnexpectedlyError(), undefined],
  [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [Object.assign(new Error('self-signed'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }), 'SELF_SIGNED_CERT_IN_CHAIN'],
])('a fault on the way to Redis is 503 and retryable: %s', (cause, upstreamCode) => {
  const error = mapRedisError(cause);

  expect(error).toMatchObject({
    type: 'STREAM:COMMAND',
    status: 503,
    temporary: true,
    outcome: 'unknown',
    upstreamCode,
  });
  expect(error.message).toMatch(/^Redis is out of reach: .* the server/);
});
