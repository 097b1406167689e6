import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { MdmConfig, RedisConfig } from '../runtime/config.schema.ts';
import { Connection } from '../redis/connection.ts';
import type { Reply } from '../redis/redis.ts';
import { pauseAfter, type SharedLogin, type SharedLoginOptions } from './session-store.ts';

/*
 * A session that all containers share, in Redis. It is sealed with AES-256-GCM under a key made of the credentials, so
 * who can read Redis alone cannot use it, and a changed password does not find it.
 */

/** An opaque session is kept for less than the 30 idle minutes after which the API forgets it. */
const KEPT_MS = 25 * 60_000;
/** How long a lock outlives the longest login: after a crash, that is when the next container takes over. */
const LOCK_MARGIN_MS = 2_000;
const POLL_MS = 100;
const UNLOCK = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * The session that the containers share: the one in Redis, or a new one by one login behind a lock. Where Redis is out
 * of reach, a login of this container's own.
 */
export async function loginOnce(options: SharedLoginOptions): Promise<SharedLogin> {
  const shelf = new Shelf(options.mdm, options.redis);
  try {
    return await loginBehindLock(shelf, options);
  } catch (error) {
    if (!(error instanceof RedisFault)) throw error;
    options.log('sharing the session failed', { code: error.code });
    return { session: await options.open() };
  } finally {
    shelf.close();
  }
}

async function loginBehindLock(shelf: Shelf, options: SharedLoginOptions): Promise<SharedLogin> {
  const giveUpAt = performance.now() + options.mdm.timeoutMs;
  const usable = async () => {
    const shared = await shelf.read();
    return shared && isUsable(shared, options.refusedId) ? shared : undefined;
  };
  for (;;) {
    const shared = await usable();
    if (shared) return shared;
    if (await shelf.lock()) break;
    if (performance.now() > giveUpAt) return { session: await options.open() };
    await wait(POLL_MS * (0.5 + Math.random()));
  }
  try {
    return (await usable()) ?? (await loginAndShare(shelf, options));
  } finally {
    await shelf.unlock();
  }
}

async function loginAndShare(shelf: Shelf, { open, refusalOf }: SharedLoginOptions): Promise<SharedLogin> {
  try {
    const session = await open();
    await shelf.write({ session }, session.endsAt === undefined ? KEPT_MS : session.endsAt - Date.now());
    return { session };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    const pauseMs = pauseAfter((await shelf.read())?.refusal?.pauseMs);
    await shelf.write({ refusal: { ...refusal, pauseMs, until: Date.now() + pauseMs } }, pauseMs * 2);
    throw error;
  }
}

function isUsable({ session, refusal }: SharedLogin, refusedId: string | undefined): boolean {
  if (refusal) return Date.now() < refusal.until!;
  return session!.id !== refusedId && Date.now() < (session!.renewAt ?? Infinity);
}

class RedisFault extends Error {
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super('Redis failed', { cause });
    this.code = (cause as { upstreamCode?: string; type?: string }).upstreamCode ?? (cause as { type?: string }).type;
  }
}

/** The places in Redis that belong to one login. */
class Shelf {
  readonly #connection: Connection;
  readonly #timeoutMs: number;
  readonly #lockMs: number;
  readonly #name: string;
  readonly #key: Buffer;
  readonly #token = randomUUID();

  constructor({ auth, baseUrl = '', timeoutMs }: MdmConfig, redis: RedisConfig) {
    const { loginUrl, username, password } = auth as Extract<MdmConfig['auth'], { password: string }>;
    const owner = JSON.stringify([loginUrl, username, baseUrl]);
    const digest = createHash('sha256').update(owner).digest('hex').slice(0, 32);
    this.#name = `mdm-session:{${digest}}`; // one slot of a cluster holds the lock too
    this.#key = Buffer.from(hkdfSync('sha256', password, owner, 'mdm-session', 32));
    this.#lockMs = timeoutMs + LOCK_MARGIN_MS;
    this.#timeoutMs = redis.commandTimeoutMs;
    this.#connection = new Connection(redis);
  }

  async read(): Promise<SharedLogin | undefined> {
    const sealed = await this.#send('GET', this.#name);
    return typeof sealed === 'string' ? this.#unseal(sealed) : undefined;
  }

  /** Where that fails, the others log in for themselves. */
  async write(login: SharedLogin, forMs: number): Promise<void> {
    const expiry = String(Math.max(1, Math.ceil(forMs)));
    await this.#send('SET', this.#name, this.#seal(login), 'PX', expiry).catch(() => {});
  }

  async lock(): Promise<boolean> {
    return (await this.#send('SET', `${this.#name}:lock`, this.#token, 'NX', 'PX', String(this.#lockMs))) === 'OK';
  }

  /** Where that fails, the lock ends of itself. */
  async unlock(): Promise<void> {
    await this.#send('EVAL', UNLOCK, '1', `${this.#name}:lock`, this.#token).catch(() => {});
  }

  close(): void {
    this.#connection.end();
  }

  async #send(...args: string[]): Promise<Reply> {
    try {
      return await this.#connection.send({ key: this.#name, args }, this.#timeoutMs);
    } catch (cause) {
      throw new RedisFault(cause);
    }
  }

  #seal(login: SharedLogin): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(this.#name));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(login)), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** What was sealed, or nothing where it was sealed under other credentials. */
  #unseal(text: string): SharedLogin | undefined {
    const bytes = Buffer.from(text, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12)).setAAD(
        Buffer.from(this.#name),
      );
      decipher.setAuthTag(bytes.subarray(12, 28));
      return JSON.parse(
        `${decipher.update(bytes.subarray(28), undefined, 'utf8')}${decipher.final('utf8')}`,
      ) as SharedLogin;
    } catch {
      return undefined;
    }
  }
}
