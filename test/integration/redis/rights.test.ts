import { describe, expect, it } from '@jest/globals';
import { streamCalls, type StreamCall } from '../../support/stream/stream-calls.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { use } from '../../support/jest/use.ts';

/*
 * The rights of docs/redis.md, which are made from the contracts: with these a call succeeds, and without any one of
 * them it is a 502 that names it.
 */

const fixture = await use(
  startFixture({
    secrets: (url) => ({ limited: { redis: { url: url.replace('//', '//limited:secret@') } } }),
  }),
);

/** What a call of `orders` and its group `billing` comes to as a user with these rights, and no others. */
async function callWith({ operation, input }: StreamCall, rights: readonly string[]) {
  const key = 'orders';
  const readsNew = operation === 'xreadgroup' && !('claimMinIdleMs' in input);
  await fixture.redis('DEL', key);
  for (let at = 0; at < 200; at++) await fixture.redis('XADD', key, `1526919030474-${at}`, 'a', 'b');
  if (operation !== 'xgroup-create') {
    await fixture.redis('XGROUP', 'CREATE', key, 'billing', 'block' in input ? '$' : '0');
    await fixture.redis('XGROUP', 'CREATECONSUMER', key, 'billing', 'worker-3');
    if (!readsNew) {
      await fixture.redis('XREADGROUP', 'GROUP', 'billing', 'worker-3', 'COUNT', '2', 'STREAMS', key, '>');
      const idle = ['XCLAIM', key, 'billing', 'worker-3', '0', '1526919030474-0', '1526919030474-1', 'IDLE', '90000'];
      await fixture.redis(...idle);
    }
  }
  const rules = rights.map((right) => `+${right}`);
  await fixture.redis('ACL', 'SETUSER', 'limited', 'reset', 'on', '>secret', '~orders*', '+ping', ...rules);
  return fixture.call('HTTP', operation, { configRef: 'limited', ...input });
}

describe.each(streamCalls)('$title', (call) => {
  it('a call needs no more than its rights', async () => {
    const { status, error } = await callWith(call, call.needs).catch(unknownCommand);

    if (error && /needs Redis 8\.\d/.test(error.message)) return; // the server lacks it
    expect({ status, error }).toEqual({ status: status === 204 ? 204 : 200 });
  });

  it.each(call.needs)('a call without the right +%s is a 502 that names it', async (missing) => {
    const rest = call.needs.filter((right) => right !== missing);
    const { status, error } = await callWith(call, rest).catch(unknownCommand);

    if (error && /needs Redis 8\.\d/.test(error.message)) return;
    expect(status).toBe(502);
    expect(error).toMatchObject({ type: 'STREAM:COMMAND' });
    expect(error!.message).toContain(missing);
    expect(error!.message).not.toMatch(/user_script|[0-9a-f]{40}/);
  });
});

it.each(['multi', 'exec'])(
  'stream-xadd-batch without +%s appends nothing, and later calls of the container work as usual',
  async (missing) => {
    const call = streamCalls.find(({ operation }) => operation === 'xadd-batch')!;
    const { status } = await callWith(
      call,
      call.needs.filter((right) => right !== missing),
    );
    const length = await fixture.redis('XLEN', 'orders');
    const next = await fixture.call('HTTP', 'xadd', { configRef: 'limited', key: 'orders', entry: { a: '1' } });

    expect([status, length, next.status]).toEqual([502, 200, 200]);
  },
);

/** An older server knows no right of a newer command. */
function unknownCommand(error: Error) {
  if (!/Unknown command/.test(error.message)) throw error;
  return { status: 422, error: { type: 'STREAM:COMMAND', message: 'needs Redis 8.2' } };
}
