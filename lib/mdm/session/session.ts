import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Connector } from '../../contract/operation.ts';
import { readConfig, rootLog } from '../../config/config.ts';
import type { MdmConfig } from '../../config/config.schema.ts';
import { loginRefused } from '../exchange/errors.ts';
import { credentialsOf } from './credentials.ts';
import { openSession, type Session } from './login.ts';
import { isRefusal, LoginPause, refusalOf } from './login-pause.ts';
import { readMdmConfig, rereadMdmConfig } from './mdm-config.ts';
import { renewalPauseAfter, type SharedLogin } from './session-store.ts';
import { sharedStore } from './shared-store.ts';
import { Stopwatch } from '../../core/stopwatch.ts';
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
interface KeptSession {
  readonly session: Session;
  /** The configuration that opened it. */
  config: MdmConfig;
  /** Since this container got it. */
  readonly age: Stopwatch;
  /** Its age then, in milliseconds: another container may have opened it. */
  readonly sharedAfterMs: number;
  /** Whether it replaced a session that the API refused. */
  isRenewal: boolean;
  /** Whether the API has accepted it. */
  isAccepted: boolean;
  /** Ages in milliseconds, if its end is known. */
  readonly endsAfterMs?: number;
  renewAfterMs?: number;
}

/** A session to replace. */
interface Replaced {
  readonly id: string;
  /** Whether the API refused it; otherwise it comes to its end. */
  readonly isRefused: boolean;
}

/** The session of one configRef in this container. It is opened on first use, by one login for all waiting calls. */
export class SessionKeeper {
  readonly #configRef: string;
  readonly #connector: Connector;
  #kept?: KeptSession;
  #login?: { readonly age: Stopwatch; readonly opened: Promise<KeptSession | undefined> };
  readonly #loginPause = new LoginPause();
  /** During this pause a refused session is not replaced, because its successor was refused too. */
  #renewalPause?: { readonly age: Stopwatch; readonly ms: number };

  constructor(configRef: string, connector: Connector) {
    this.#configRef = configRef;
    this.#connector = connector;
  }

  /** The current session; a new one if there is none, or if the configuration names another user. */
  current(config: MdmConfig): Session | Promise<Session> {
    const kept = this.#kept;
    if (!kept || !isFor(kept, config)) return this.#openNew(config);
    if (kept.renewAfterMs === undefined) return kept.session;
    const ageMs = kept.age.elapsedMs();
    if (ageMs < kept.renewAfterMs) return kept.session;
    return ageMs < kept.endsAfterMs! ? this.#renewAhead(kept, config) : this.#openNew(config, kept);
  }

  /**
   * What replaces a session that the API refused: a newer one if there is one already, the same one while it is so new
   * that the API may not know it yet, or one from a login. During a pause there is none.
   */
  async renew(refused: Session, config: MdmConfig): Promise<Renewal> {
    // a renewal may have read the secret again
    const current = await readMdmConfig(this.#configRef, this.#connector).catch(() => config);
    const kept = this.#kept;
    if (kept && kept.session.id !== refused.id) return { session: kept.session };
    if (kept && !kept.isAccepted && sinceLogin(kept) < NEW_FOR_MS) return { session: kept.session, isNew: true };
    const pauseMs = this.#pauseLeftMs();
    if (pauseMs > 0) return { pauseMs };
    if (kept && this.#isRefusedAnew(kept)) return { pauseMs: await this.#pauseRenewals(current) };
    const opened = await this.#open(current, { id: refused.id, isRefused: true });
    return opened ? { session: opened.session, isNew: true } : { pauseMs: this.#pauseLeftMs() };
  }

  /** Remaining life of the session in milliseconds; undefined without a session, or if its end is unknown. */
  get leftMs(): number | undefined {
    const kept = this.#kept;
    return kept?.endsAfterMs === undefined ? undefined : Math.max(0, kept.endsAfterMs - kept.age.elapsedMs());
  }

  /** The API accepted a session. */
  accepted(session: Session): void {
    const kept = this.#kept;
    if (!kept || kept.isAccepted || kept.session !== session) return;
    kept.isAccepted = true;
    this.#renewalPause = undefined;
  }

  /** Whether a session that was just opened in place of a refused one was never accepted: so would its successor. */
  #isRefusedAnew(kept: KeptSession): boolean {
    return kept.isRenewal && !kept.isAccepted && sinceLogin(kept) < renewalPauseAfter(this.#renewalPause?.ms);
  }

  /** What is left of the pause, in milliseconds. */
  #pauseLeftMs(): number {
    const pause = this.#renewalPause;
    return pause ? Math.max(0, pause.ms - pause.age.elapsedMs()) : 0;
  }

  async #openNew(config: MdmConfig, ended?: KeptSession): Promise<Session> {
    const opened = await this.#open(config, ended && { id: ended.session.id, isRefused: false });
    return (opened ?? ended ?? this.#kept!).session;
  }

  async #renewAhead(kept: KeptSession, config: MdmConfig): Promise<Session> {
    const renewal = this.#open(config, { id: kept.session.id, isRefused: false }).then(
      (opened) => opened?.session,
      () => undefined,
    );
    const leftMs = kept.endsAfterMs! - kept.age.elapsedMs();
    const patienceMs = Math.min(RENEWAL_PATIENCE_MS, leftMs / 4) - (this.#login?.age.elapsedMs() ?? 0);
    const late = () => wait(patienceMs, undefined, { ref: false });
    const session = patienceMs > 0 ? await Promise.race([renewal, late()]) : undefined;
    if (session) return session;
    kept.renewAfterMs = kept.age.elapsedMs() + RENEW_AGAIN_MS;
    return kept.session;
  }

  /** Joins the current login, unless it froze with its container. */
  #open(config: MdmConfig, replaced?: Replaced): Promise<KeptSession | undefined> {
    if (this.#login && this.#login.age.elapsedMs() <= config.timeoutMs) return this.#login.opened;
    const login = { age: new Stopwatch(), opened: this.#logIn(config, replaced) };
    this.#login = login;
    const settled = () => {
      if (this.#login === login) this.#login = undefined;
    };
    login.opened.then(settled, settled);
    return login.opened;
  }

  async #logIn(config: MdmConfig, replaced?: Replaced): Promise<KeptSession | undefined> {
    const reread = () => rereadMdmConfig(this.#configRef, this.#connector);
    const allowed = await this.#loginPause.check(config, reread);
    try {
      return await this.#tryLogIn(allowed, replaced);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#loginPause.begin(error, allowed);
      const rotated = await reread();
      if (!this.#loginPause.allows(rotated)) throw error;
      return await this.#tryLogIn(rotated, replaced).catch((again: unknown) => {
        if (isRefusal(again)) this.#loginPause.begin(again, rotated);
        throw again;
      });
    }
  }

  async #tryLogIn(config: MdmConfig, replaced?: Replaced): Promise<KeptSession | undefined> {
    const { session, leftMs, ageMs = 0, refusal, renewalPauseMs } = await this.#obtain(config, replaced?.id);
    if (refusal) throw loginRefused(refusal);
    this.#loginPause.end();
    if (!session) {
      this.#renewalPause = { age: new Stopwatch(), ms: renewalPauseMs! };
      return undefined;
    }
    const renewAfterMs = leftMs === undefined ? undefined : leftMs - renewAheadOf(session.lifeMs ?? leftMs);
    return (this.#kept = {
      session,
      config,
      age: new Stopwatch(),
      sharedAfterMs: ageMs,
      isRenewal: replaced?.isRefused ?? false,
      isAccepted: false,
      endsAfterMs: leftMs,
      renewAfterMs,
    });
  }

  async #obtain(mdm: MdmConfig, replacedId?: string): Promise<SharedLogin> {
    const store = await sharedStore(mdm);
    if (!store) {
      const session = await openSession(mdm);
      return { session, leftMs: session.lifeMs };
    }
    return store.loginOnce({ ...(await this.#storeOptions(mdm)), replacedId, open: () => openSession(mdm), refusalOf });
  }

  /** @returns the length of the pause, in milliseconds */
  async #pauseRenewals(config: MdmConfig): Promise<number> {
    const ms = renewalPauseAfter(this.#renewalPause?.ms);
    this.#renewalPause = { age: new Stopwatch(), ms };
    this.#kept!.isRenewal = false; // after the pause it is replaced
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

/** The time since the login that opened a session, in milliseconds. */
const sinceLogin = ({ age, sharedAfterMs }: KeptSession) => sharedAfterMs + age.elapsedMs();

/** Whether a session belongs to a configuration's user and address. A changed password ends no session. */
function isFor(kept: KeptSession, config: MdmConfig): boolean {
  if (kept.config === config) return true;
  const isSame = isDeepStrictEqual(userOf(kept.config), userOf(config));
  if (isSame) kept.config = config; // the secret was read again, without a change
  return isSame;
}

const userOf = ({ auth, baseUrl }: MdmConfig) => [auth.type === 'session' ? auth : credentialsOf(auth).user, baseUrl];
