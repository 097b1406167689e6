import { afterEach, expect, it } from '@jest/globals';
import { readMdmConfig } from '#lib/mdm/session/mdm-config.ts';
import { SessionKeeper } from '#lib/mdm/session/session.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { startSandboxMdm, type SandboxOptions } from '#sandbox/mdm/index.ts';
import { use } from '#test/support/jest/use.ts';

/* What follows a refused session: the keeper of one container, told what the API made of its sessions. */

const stack = await use(startMdmStack());
const realNow = Date.now;
afterEach(() => void (Date.now = realNow));

async function container(options: SandboxOptions = {}) {
  const mdm = await use(startSandboxMdm(options));
  const configRef = stack.configure(mdm.secret);
  return { mdm, keeper: new SessionKeeper(configRef, 'mdm'), config: await readMdmConfig(configRef, 'mdm') };
}

/** A container that has a session, and one in its place because the API refused that. */
async function renewed() {
  const { mdm, keeper, config } = await container();
  const first = await keeper.current(config);
  keeper.accepted(first);
  const { session: second } = await keeper.renew(first, config);
  const renew = (session = second!) => keeper.renew(session, config);
  return { mdm, keeper, first, second: second!, renew };
}

/** Until then, the API may not know a new session yet. */
const later = () => void (Date.now = () => realNow() + 2_000);

it('a new session that the API does not know yet is kept, also after a late response to the old one', async () => {
  const { mdm, keeper, first, second, renew } = await renewed();

  keeper.accepted(first);

  expect(await renew()).toEqual({ session: second, isNew: true });
  expect(mdm.logins).toBe(2);
});

it('a new session that was never accepted is not replaced during a pause', async () => {
  const { mdm, renew } = await renewed();
  later();

  expect(await renew()).toEqual({ pauseMs: 5_000 });
  expect((await renew()).pauseMs).toBeGreaterThan(0);
  expect(mdm.logins).toBe(2);
});

it('a new session that was accepted and then refused is replaced at once', async () => {
  const { mdm, keeper, second, renew } = await renewed();
  keeper.accepted(second);
  later();

  const { session } = await renew();

  expect(session?.id).not.toBe(second.id);
  expect(mdm.logins).toBe(3);
});

it('an accepted session ends the pause', async () => {
  const { mdm, keeper, second, renew } = await renewed();
  later();
  expect((await renew()).pauseMs).toBe(5_000);
  keeper.accepted(second);

  const { session } = await renew();

  expect(session?.id).not.toBe(second.id);
  expect(mdm.logins).toBe(3);
});

it('a token that replaced one at its end, and is then refused, is replaced at once', async () => {
  const { mdm, keeper, config } = await container({ session: { kind: 'jwt', lifetimeMs: 30 * 60_000 } });
  await keeper.current(config);
  Date.now = () => realNow() + 26 * 60_000; // renewal is due
  const second = await keeper.current(config);
  Date.now = () => realNow() + 26 * 60_000 + 2_000;

  const { session } = await keeper.renew(second, config);

  expect(session?.id).not.toBe(second.id);
  expect(mdm.logins).toBe(3);
});

it.each([
  [60, 54, 56],
  [10, 7, 9],
])('a token of %d minutes is in use for %d, and renewed within %d', async (life, inUse, renewed) => {
  const { mdm, keeper, config } = await container({ session: { kind: 'jwt', lifetimeMs: life * 60_000 } });
  const first = await keeper.current(config);
  Date.now = () => realNow() + inUse * 60_000;
  const later = await keeper.current(config);
  Date.now = () => realNow() + renewed * 60_000;
  const last = await keeper.current(config);

  expect([later.id, mdm.logins]).toEqual([first.id, 2]);
  expect(last.id).not.toBe(first.id);
});

it('pauses double until a session is accepted', async () => {
  const { second, renew } = await renewed();
  later();
  expect((await renew()).pauseMs).toBe(5_000);
  Date.now = () => realNow() + 8_000; // the pause is over
  const { session: third } = await renew();
  expect(third?.id).not.toBe(second.id);
  Date.now = () => realNow() + 11_000;

  expect((await renew(third)).pauseMs).toBe(10_000);
});
