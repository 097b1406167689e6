import { isDeepStrictEqual } from 'node:util';
import { forgetConfig, readConfig, rootLog } from '../runtime/config.ts';
import type { MdmConfig } from '../runtime/config.schema.ts';
import type { Connector } from '../contract/connector.ts';
import { configurationError, ConnectorError } from '../core/errors.ts';
import { loginRefused } from './errors.ts';
import { closeSession, openSession, type Session } from './login.ts';
import { pauseAfter, type SharedRefusal } from './session-store.ts';

/** How long after a renewal ahead of time failed it is tried again. */
const RENEW_AGAIN_MS = 10_000;

interface Login {
  readonly startedAt: number;
  readonly session: Promise<Session>;
}

interface Refusal {
  readonly error: ConnectorError;
  readonly until: number;
  readonly pauseMs: number;
}

/**
 * The session of one configRef in this container: opened on first use, by one login however many calls wait for it.
 */
export class SessionKeeper {
  readonly #configRef: string;
  readonly #connector: Connector;
  #session?: Session;
  /** What the session was opened with. */
  #config?: MdmConfig;
  #login?: Login;
  #refusal?: Refusal;

  constructor(configRef: string, connector: Connector) {
    this.#configRef = configRef;
    this.#connector = connector;
  }

  /** The session that lives, at once; or a new one where there is none, or where the configuration has changed. */
  current(config: MdmConfig): Session | Promise<Session> {
    const session = this.#session;
    if (!session || !this.#isFor(config)) return this.#open(config);
    return session.renewAt === undefined || Date.now() < session.renewAt ? session : this.#renewAhead(session, config);
  }

  /** A session in place of one that the API refused: the newer one where there is one already. */
  async renew(refused: Session, config: MdmConfig): Promise<Session> {
    const newer = this.#session;
    return newer && newer.id !== refused.id ? newer : this.#open(config, refused.id);
  }

  async #renewAhead(session: Session, config: MdmConfig): Promise<Session> {
    try {
      return await this.#open(config, session.id);
    } catch (error) {
      if (Date.now() >= session.endsAt!) throw error;
      return (this.#session = { ...session, renewAt: Date.now() + RENEW_AGAIN_MS }); // it still has some time
    }
  }

  #isFor(config: MdmConfig): boolean {
    return this.#config === config || isDeepStrictEqual(identityOf(this.#config!), identityOf(config));
  }

  /** Joins the login under way, unless it is one that froze together with its container. */
  #open(config: MdmConfig, refusedId?: string): Promise<Session> {
    const now = performance.now();
    if (this.#login && now - this.#login.startedAt <= config.timeoutMs) return this.#login.session;
    const login = { startedAt: now, session: this.#logIn(config, refusedId) };
    this.#login = login;
    const settled = () => {
      if (this.#login === login) this.#login = undefined;
    };
    login.session.then(settled, settled);
    return login.session;
  }

  async #logIn(config: MdmConfig, refusedId?: string): Promise<Session> {
    const refusal = this.#refusal;
    if (refusal && performance.now() < refusal.until) throw refusal.error;
    const known = refusal ? await this.#readAgain() : config;
    try {
      return await this.#tryLogIn(known, refusedId);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const rotated = await this.#readAgain();
      if (isDeepStrictEqual(identityOf(rotated), identityOf(known))) throw this.#pauseAfter(error);
      return await this.#tryLogIn(rotated).catch((again: unknown) => {
        throw isRefusal(again) ? this.#pauseAfter(again) : again;
      });
    }
  }

  async #tryLogIn(config: MdmConfig, refusedId?: string): Promise<Session> {
    const isShared = config.sessionStore === 'redis' && config.auth.type !== 'session';
    const session = await (isShared ? this.#openShared(config, refusedId) : openSession(config));
    this.#session = session;
    this.#config = config;
    this.#refusal = undefined;
    return session;
  }

  /** The store is imported when a configuration asks for it, so that the bundle of an operation holds no Redis client. */
  async #openShared(mdm: MdmConfig, refusedId?: string): Promise<Session> {
    const { loginOnce } = await import('./redis-session-store.ts');
    const { redis } = await readConfig(this.#configRef, this.#connector);
    const log = (message: string, details: Record<string, unknown>) => rootLog().warn(message, details);
    const open = () => openSession(mdm);
    const { session, refusal } = await loginOnce({ mdm, redis: redis!, refusedId, open, refusalOf, log });
    if (session) return session;
    throw loginRefused(refusal!);
  }

  /** Ends the session, unless others may be using it. All its calls must have been answered. */
  async close(): Promise<void> {
    const session = this.#session;
    const config = this.#config;
    this.#session = undefined;
    if (session && config && config.sessionStore !== 'redis') await closeSession(session, config);
  }

  /** The configuration as it stands now: its credentials may have been changed. */
  async #readAgain(): Promise<MdmConfig> {
    forgetConfig(this.#configRef);
    return readMdmConfig(this.#configRef, this.#connector);
  }

  #pauseAfter(error: ConnectorError): ConnectorError {
    const pauseMs = pauseAfter(this.#refusal?.pauseMs);
    this.#refusal = { error, pauseMs, until: performance.now() + pauseMs };
    return error;
  }
}

const keepers = new Map<string, SessionKeeper>();

/** The keeper of a configRef's session. */
export function sessionKeeper(configRef: string, connector: Connector): SessionKeeper {
  let keeper = keepers.get(configRef);
  if (!keeper) keepers.set(configRef, (keeper = new SessionKeeper(configRef, connector)));
  return keeper;
}

/** Logs out of every session that is this process's own: for programs that end, as Lambda's containers do not. */
export async function closeSessions(): Promise<void> {
  await Promise.all([...keepers.values()].map((keeper) => keeper.close()));
}

/**
 * The `mdm` part of a connector configuration.
 *
 * @throws {ConnectorError} `CONNECTOR:CONFIGURATION` when the secret has none.
 */
export async function readMdmConfig(configRef: string, connector: Connector): Promise<MdmConfig> {
  const { mdm } = await readConfig(configRef, connector);
  if (mdm) return mdm;
  const faults = [{ pointer: '/mdm', message: 'is required' }];
  throw configurationError(`The secret of configRef ${configRef}`, faults);
}

const identityOf = ({ auth, baseUrl }: MdmConfig) => ({ auth, baseUrl });

/** Whether it was the credentials that were refused, rather than the moment (429). */
const isRefusal = (error: unknown): error is ConnectorError =>
  error instanceof ConnectorError && error.type === 'MDM:CLIENT_ERROR' && !error.retryable;

function refusalOf(error: unknown): SharedRefusal | undefined {
  if (!isRefusal(error)) return undefined;
  const { upstreamStatus, upstreamCode } = error;
  return { upstreamStatus, upstreamCode };
}
