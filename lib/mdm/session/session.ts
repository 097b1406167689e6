import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Connector } from '../../contract/connector.ts';
import { readConfig, rootLog } from '../../runtime/config.ts';
import type { MdmConfig } from '../../runtime/config.schema.ts';
import { loginRefused } from '../exchange/errors.ts';
import { openSession, type Session } from './login.ts';
import { isRefusal, LoginPause, refusalOf } from './login-pause.ts';
import { readMdmConfig, rereadMdmConfig } from './mdm-config.ts';
import { renewalPauseAfter, type SharedLogin } from './session-store.ts';
import { sharedStore } from './shared-store.ts';
import { Stopwatch } from './stopwatch.ts';
import { renewAheadOf } from './token.ts';

/** Pause after a failed early renewal. */
const RENEW_AGAIN_MS = 10_000;
/** How long calls wait for an early renewal before they go on with the old session. */
const RENEWAL_PATIENCE_MS = 1_000;

/** How long the parts of the API may need to know a new session, which they refuse until then. */
const NEW_FOR_MS = 1_000;

/** What follows a refused session: another session, or for so long none. */
export type Renewal =
  | {
      readonly session: Session;
      /** Whether the API may not know it yet. */
      readonly isNew?: boolean;
      readonly pauseMs?: undefined;
    }
  | { readonly session?: undefined; readonly pauseMs: number };

/** The session in use. */
interface Held {
  readonly session: Session;
  /** The configuration that opened it. */
  config: MdmConfig;
  readonly age: Stopwatch;
  /** How long the API may not know it yet, in milliseconds. */
  readonly newForMs: number;
  /** Whether it replaced a session that the API refused. */
  isRenewal: boolean;
  /** Whether the API has accepted it. */
  isAccepted: boolean;
  /** Ages in milliseconds, if its end is known. */
  readonly endsAfterMs?: number;
  renewAfterMs?: number;
}

/** The session of one configRef in this container. It is opened on first use, by one login for all waiting calls. */
export class SessionKeeper {
  readonly #configRef: string;
  readonly #connector: Connector;
  #held?: Held;
  #login?: { readonly age: Stopwatch; readonly held: Promise<Held | undefined> };
  readonly #loginPause = new LoginPause();
  /** During this pause a refused session is not replaced, because its successor was refused too. */
  #renewalPause?: { readonly age: Stopwatch; readonly ms: number };

  constructor(configRef: string, connector: Connector) {
    this.#configRef = configRef;
    this.#connector = connector;
  }

  /** The current session; a new one if there is none, or if the configuration names another user. */
  current(config: MdmConfig): Session | Promise<Session> {
    const held = this.#held;
    if (!held || !isFor(held, config)) return this.#openNew(config);
    if (held.renewAfterMs === undefined) return held.session;
    const ageMs = held.age.elapsedMs();
    if (ageMs < held.renewAfterMs) return held.session;
    return ageMs < held.endsAfterMs! ? this.#renewAhead(held, config) : this.#openNew(config, held);
  }

  /**
   * What replaces a session that the API refused: a newer one if there is one already, the same one while it is so new
   * that the API may not know it yet, or one from a login. During a pause there is none.
   */
  async renew(refused: Session, config: MdmConfig): Promise<Renewal> {
    const current = await readMdmConfig(this.#configRef, this.#connector).catch(() => config); // a renewal may have read the secret again
    const held = this.#held;
    if (held && held.session.id !== refused.id) return { session: held.session };
    if (held && !held.isAccepted && held.age.elapsedMs() < held.newForMs) return { session: held.session, isNew: true };
    const pauseMs = this.#pauseLeftMs();
    if (pauseMs > 0) return { pauseMs };
    if (held?.isRenewal && !held.isAccepted) return { pauseMs: await this.#pauseRenewals(current) };
    const opened = await this.#open(current, refused.id);
    return opened ? { session: opened.session, isNew: true } : { pauseMs: this.#pauseLeftMs() };
  }

  /** Remaining life of the session in milliseconds; undefined without a session, or if its end is unknown. */
  get leftMs(): number | undefined {
    const held = this.#held;
    return held?.endsAfterMs === undefined ? undefined : Math.max(0, held.endsAfterMs - held.age.elapsedMs());
  }

  /** The API accepted a session. */
  accepted(session: Session): void {
    const held = this.#held;
    if (!held || held.isAccepted || held.session !== session) return;
    held.isAccepted = true;
    this.#renewalPause = undefined;
  }

  /** What is left of the pause, in milliseconds. */
  #pauseLeftMs(): number {
    const pause = this.#renewalPause;
    return pause ? Math.max(0, pause.ms - pause.age.elapsedMs()) : 0;
  }

  async #openNew(config: MdmConfig, ended?: Held): Promise<Session> {
    const opened = await this.#open(config, ended?.session.id);
    return (opened ?? ended ?? this.#held!).session;
  }

  async #renewAhead(held: Held, config: MdmConfig): Promise<Session> {
    const renewal = this.#open(config, held.session.id).then(
      (opened) => opened?.session,
      () => undefined,
    );
    const leftMs = held.endsAfterMs! - held.age.elapsedMs();
    const patienceMs = Math.min(RENEWAL_PATIENCE_MS, leftMs / 4) - (this.#login?.age.elapsedMs() ?? 0);
    const late = () => wait(patienceMs, undefined, { ref: false });
    const session = patienceMs > 0 ? await Promise.race([renewal, late()]) : undefined;
    if (session) return session;
    held.renewAfterMs = held.age.elapsedMs() + RENEW_AGAIN_MS;
    return held.session;
  }

  /** Joins the current login, unless it froze with its container. */
  #open(config: MdmConfig, refusedId?: string): Promise<Held | undefined> {
    if (this.#login && this.#login.age.elapsedMs() <= config.timeoutMs) return this.#login.held;
    const login = { age: new Stopwatch(), held: this.#logIn(config, refusedId) };
    this.#login = login;
    const settled = () => {
      if (this.#login === login) this.#login = undefined;
    };
    login.held.then(settled, settled);
    return login.held;
  }

  async #logIn(config: MdmConfig, refusedId?: string): Promise<Held | undefined> {
    const reread = () => rereadMdmConfig(this.#configRef, this.#connector);
    const allowed = await this.#loginPause.check(config, reread);
    try {
      return await this.#tryLogIn(allowed, refusedId);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#loginPause.begin(error, allowed);
      const rotated = await reread();
      if (!this.#loginPause.allows(rotated)) throw error;
      return await this.#tryLogIn(rotated, refusedId).catch((again: unknown) => {
        if (isRefusal(again)) this.#loginPause.begin(again, rotated);
        throw again;
      });
    }
  }

  async #tryLogIn(config: MdmConfig, refusedId?: string): Promise<Held | undefined> {
    const { session, leftMs, ageMs = 0, refusal, renewalPauseMs } = await this.#obtain(config, refusedId);
    if (refusal) throw loginRefused(refusal);
    this.#loginPause.end();
    if (!session) {
      this.#renewalPause = { age: new Stopwatch(), ms: renewalPauseMs! };
      return undefined;
    }
    const renewAfterMs = leftMs === undefined ? undefined : leftMs - renewAheadOf(session.lifeMs ?? leftMs);
    return (this.#held = {
      session,
      config,
      age: new Stopwatch(),
      newForMs: NEW_FOR_MS - ageMs,
      isRenewal: refusedId !== undefined,
      isAccepted: false,
      endsAfterMs: leftMs,
      renewAfterMs,
    });
  }

  async #obtain(mdm: MdmConfig, refusedId?: string): Promise<SharedLogin> {
    const store = await sharedStore(mdm);
    if (!store) {
      const session = await openSession(mdm);
      return { session, leftMs: session.lifeMs };
    }
    return store.loginOnce({ ...(await this.#storeOptions(mdm)), refusedId, open: () => openSession(mdm), refusalOf });
  }

  /** @returns the length of the pause, in milliseconds */
  async #pauseRenewals(config: MdmConfig): Promise<number> {
    const ms = renewalPauseAfter(this.#renewalPause?.ms);
    this.#renewalPause = { age: new Stopwatch(), ms };
    this.#held!.isRenewal = false; // after the pause it is replaced
    const store = await sharedStore(config);
    await store?.pauseRenewals(await this.#storeOptions(config));
    return ms;
  }

  async #storeOptions(mdm: MdmConfig) {
    const { redis } = await readConfig(this.#configRef, this.#connector);
    const log = (message: string, details: Record<string, unknown>) => rootLog().warn(message, details);
    return { mdm, redis: redis!, log };
  }
}

const keepers = new Map<string, SessionKeeper>();

/** The keeper of a configRef's session. */
export function sessionKeeper(configRef: string, connector: Connector): SessionKeeper {
  let keeper = keepers.get(configRef);
  if (!keeper) keepers.set(configRef, (keeper = new SessionKeeper(configRef, connector)));
  return keeper;
}

/** Whether a session belongs to a configuration's user and address. A changed password ends no session. */
function isFor(held: Held, config: MdmConfig): boolean {
  if (held.config === config) return true;
  const isSame = isDeepStrictEqual(userOf(held.config), userOf(config));
  if (isSame) held.config = config; // the secret was read again, without a change
  return isSame;
}

const userOf = ({ auth, baseUrl }: MdmConfig) => ({ ...auth, password: undefined, baseUrl });
