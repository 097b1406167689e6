import { expect, it } from '@jest/globals';
import { ConnectorError } from '#lib/core/errors.ts';
import { Capabilities } from '#lib/redis/capability.ts';
import type { Reply } from '#lib/redis/redis.ts';

const XADD_ONCE = { since: 'Redis 8.6', command: 'XADD', option: 'IDMP' };

/** Asks a server that has these replies, one after the other. */
function asking(...replies: (Reply | ConnectorError)[]) {
  const capabilities = new Capabilities();
  const send = async () => {
    const reply = replies.shift()!;
    if (reply instanceof ConnectorError) throw reply;
    return Promise.resolve(reply);
  };
  return { has: () => capabilities.has(XADD_ONCE, 's', send), left: () => replies.length };
}

const loading = new ConnectorError('STREAM:COMMAND', 'LOADING', { status: 503, upstreamCode: 'LOADING' });
const refused = new ConnectorError('STREAM:COMMAND', 'NOPERM', { status: 502, upstreamCode: 'NOPERM' });
const lost = new ConnectorError('STREAM:COMMAND', 'Redis is out of reach', { status: 503 });

it.each([
  ['a command with the option', ['xadd', ['arguments', [['name', 'IDMP']]]], true],
  ['a command without it', ['xadd', ['arguments', [['name', 'key']]]], false],
  ['no such command', [], false],
  ['that the user may not ask', refused, true],
])('a server that tells of %s is taken at its word', async (_what, reply, has) => {
  expect(await asking(reply).has()).toBe(has);
});

it.each([
  ['loads', loading],
  ['is out of reach', lost],
])('a server that %s is asked again at the next call', async (_what, failure) => {
  const server = asking(failure, ['xadd', ['IDMP']], ['never sent']);

  await expect(server.has()).rejects.toBe(failure);
  expect([await server.has(), await server.has()]).toEqual([true, true]);
  expect(server.left()).toBe(1);
});
