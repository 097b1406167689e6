import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Deadline } from '../../core/deadline.ts';
import type { MdmConfig } from '../../config/config.schema.ts';
import { Connection } from '../../redis/connection.ts';
import type { Reply } from '../../redis/redis.ts';
import lock from './lock.lua';
import type { Session } from './login.ts';
import { sealOf, type Seal } from './sealing.ts';
import {
  loginPauseAfter,
  renewalPauseAfter,
  type SharedLogin,
  type SharedLoginOptions,
  type SharedRefusal,
} from './session-store.ts';
import { Stopwatch } from '../../core/stopwatch.ts';
import unlock from './unlock.lua';

/** An opaque session is kept for less than the 30 idle minutes after which the API ends it. */
export const KEPT_MS = 25 * 60_000;
/** The longest time to keep a token. */
const MAX_KEPT_MS = 24 * 60 * 60_000;
/** How long a lock outlives the longest login. After a crash, the next container then takes over. */
const LOCK_MARGIN_MS = 2_000;
const POLL_MS = 100;

type Options = Omit<SharedLoginOptions, 'open' | 'refusalOf'>;

/**
 * The session that containers share: the one in Redis, or a new one from a single login behind a lock. If Redis is out
 * of reach, this container logs in for itself.
 */
export async function loginOnce(options: SharedLoginOptions): Promise<SharedLogin> {
  const { open, log } = options;
  try {
    return await withStore(options, (store) => loginBehindLock(store, options));
  } catch (error) {
    if (!(error instanceof RedisFault)) throw error;
    log('sharing the session failed', { code: error.code });
    return loggedIn(await open());
  }
}

/** Lets all containers keep a refused session for a growing time, because its successor would be refused too. */
export async function pauseRenewals(options: Options): Promise<void> {
  await withStore(options, async (store) => {
    const last = await store.readRenewalPause();
    await store.writeRenewalPause(renewalPauseAfter(last?.pauseMs));
  }).catch((error: unknown) => {
    if (!(error instanceof RedisFault)) throw error;
    options.log('sharing the session failed', { code: error.code });
  });
}

async function withStore<T>({ mdm, redis }: Options, use: (store: SessionStore) => Promise<T>): Promise<T> {
  const seal = await sealOf(mdm);
  const store = new SessionStore(mdm, new Connection(redis), redis.commandTimeoutMs, seal);
  try {
    return await use(store);
  } finally {
    store.close();
  }
}

async function loginBehindLock(store: SessionStore, options: SharedLoginOptions): Promise<SharedLogin> {
  let holder: string | undefined;
  let lockAge = new Stopwatch();
  for (;;) {
    const known = await readUsable(store, options.replacedId);
    if (known) return known;
    const isOverdue = lockAge.elapsedMs() > options.mdm.timeoutMs;
    const current = await store.lock(isOverdue ? holder : undefined);
    if (current === undefined) break;
    if (current !== holder) [holder, lockAge] = [current, new Stopwatch()];
    await wait(POLL_MS * (0.5 + Math.random()));
  }
  try {
    return (await readUsable(store, options.replacedId)) ?? (await loginAndShare(store, options));
  } finally {
    await store.unlock();
  }
}

/** The contents of the store; undefined if a login must follow: it is empty, or has the session to replace. */
async function readUsable(store: SessionStore, replacedId: string | undefined): Promise<SharedLogin | undefined> {
  const { login, leftMs } = await store.read();
  if (login?.refusal) return leftMs > login.refusal.pauseMs! ? login : undefined;
  if (!login?.session) return undefined;
  const { id, lifeMs } = login.session;
  if (id !== replacedId) return { ...login, ageMs: keptFor(lifeMs) - leftMs, ...(lifeMs !== undefined && { leftMs }) };
  const pause = await store.readRenewalPause();
  return pause && pause.leftMs > pause.pauseMs ? { renewalPauseMs: pause.leftMs - pause.pauseMs } : undefined;
}

async function loginAndShare(store: SessionStore, { open, refusalOf }: SharedLoginOptions): Promise<SharedLogin> {
  try {
    const session = await open();
    await store.write({ session }, keptFor(session.lifeMs));
    return loggedIn(session);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    const pauseMs = loginPauseAfter((await store.read()).login?.refusal?.pauseMs);
    // kept beyond the pause, so that the next one is longer
    await store.write({ refusal: { ...refusal, pauseMs } }, pauseMs * 2);
    throw error;
  }
}

const keptFor = (lifeMs = KEPT_MS) => Math.min(lifeMs, MAX_KEPT_MS);

const loggedIn = (session: Session): SharedLogin => ({ session, leftMs: session.lifeMs });

class RedisFault extends Error {
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super('Redis failed', { cause });
    this.code = (cause as { upstreamCode?: string; type?: string }).upstreamCode ?? (cause as { type?: string }).type;
  }
}

/** The keys of one login in Redis. Validity is a key's time to live, which needs no common clock. */
class SessionStore {
  readonly #connection: Connection;
  readonly #timeoutMs: number;
  readonly #lockMs: number;
  readonly #seal: Seal;
  readonly #name: string;
  readonly #token = randomUUID();

  constructor({ timeoutMs }: MdmConfig, connection: Connection, commandTimeoutMs: number, seal: Seal) {
    this.#name = `mdm-session:{${seal.name}}`; // keeps all its keys in one slot of a cluster
    this.#lockMs = timeoutMs + LOCK_MARGIN_MS;
    this.#timeoutMs = commandTimeoutMs;
    this.#connection = connection;
    this.#seal = seal;
  }

  async read(): Promise<{ login?: { session?: Session; refusal?: SharedRefusal }; leftMs: number }> {
    const [sealed, leftMs] = await Promise.all([this.#send('GET', this.#name), this.#send('PTTL', this.#name)]);
    const text = typeof sealed === 'string' ? this.#seal.open(sealed) : undefined;
    return { ...(text !== undefined && { login: JSON.parse(text) as object }), leftMs: Number(leftMs) };
  }

  /** If this fails, the others log in for themselves. */
  async write(login: { session?: Session; refusal?: SharedRefusal }, forMs: number): Promise<void> {
    await this.#send('SET', this.#name, this.#seal.seal(JSON.stringify(login)), 'PX', ttl(forMs)).catch(() => {});
  }

  async readRenewalPause(): Promise<{ pauseMs: number; leftMs: number } | undefined> {
    const key = `${this.#name}:pause`;
    const [pauseMs, leftMs] = await Promise.all([this.#send('GET', key), this.#send('PTTL', key)]);
    return typeof pauseMs === 'string' ? { pauseMs: Number(pauseMs), leftMs: Number(leftMs) } : undefined;
  }

  async writeRenewalPause(pauseMs: number): Promise<void> {
    await this.#send('SET', `${this.#name}:pause`, String(pauseMs), 'PX', ttl(pauseMs * 2));
  }

  /** Takes the lock if it is free or held by `overdue`. Otherwise returns its holder. */
  async lock(overdue = ''): Promise<string | undefined> {
    const holder = await this.#send(
      'EVAL',
      lock.source,
      '1',
      `${this.#name}:lock`,
      this.#token,
      ttl(this.#lockMs),
      overdue,
    );
    return typeof holder === 'string' ? holder : undefined;
  }

  /** If this fails, the lock expires. */
  async unlock(): Promise<void> {
    await this.#send('EVAL', unlock.source, '1', `${this.#name}:lock`, this.#token).catch(() => {});
  }

  close(): void {
    this.#connection.end();
  }

  async #send(...args: string[]): Promise<Reply> {
    try {
      return await this.#connection.send({ key: this.#name, args }, Deadline.after(this.#timeoutMs));
    } catch (cause) {
      throw new RedisFault(cause);
    }
  }
}

const ttl = (ms: number) => String(Math.max(1, Math.ceil(ms)));
