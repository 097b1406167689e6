import type { MdmConfig, RedisConfig } from '../../config/config.schema.ts';
import type { Session } from './login.ts';

const FIRST_PAUSE_MS = 5_000;
const MAX_LOGIN_PAUSE_MS = 5 * 60_000;
const MAX_RENEWAL_PAUSE_MS = 60_000;

/** Pause after a refused login, in milliseconds. It doubles with each refusal, so that no account is locked. */
export function loginPauseAfter(lastPauseMs: number | undefined): number {
  return lastPauseMs === undefined ? FIRST_PAUSE_MS : Math.min(MAX_LOGIN_PAUSE_MS, lastPauseMs * 2);
}

/** Longest pause, in milliseconds, before a new session that the API refused is replaced. */
export function renewalPauseAfter(lastPauseMs: number | undefined): number {
  return lastPauseMs === undefined ? FIRST_PAUSE_MS : Math.min(MAX_RENEWAL_PAUSE_MS, lastPauseMs * 2);
}

/** A refused login that containers share. */
export interface SharedRefusal {
  readonly upstreamStatus?: number;
  readonly upstreamCode?: string;
  /** Pause before the next login, in milliseconds. */
  readonly pauseMs?: number;
}

/** The result of a shared login: exactly one of `session`, `refusal` and `renewalPauseMs`. */
export interface SharedLogin {
  readonly session?: Session;
  /** Remaining life of the session in milliseconds; absent if its end is unknown. */
  readonly leftMs?: number;
  /** Milliseconds since its login, if another container logged in. */
  readonly ageMs?: number;
  readonly refusal?: SharedRefusal;
  /**
   * How long, in milliseconds, no container replaces the refused session, because its successor would be refused too.
   */
  readonly renewalPauseMs?: number;
}

export interface SharedLoginOptions {
  readonly mdm: MdmConfig;
  readonly redis: RedisConfig;
  /** The session to replace: the API refused it, or it comes to its end. */
  readonly replacedId?: string;
  /** Logs in. */
  readonly open: () => Promise<Session>;
  /** The refusal of the credentials in an error of `open`, if it is one. */
  readonly refusalOf: (error: unknown) => SharedRefusal | undefined;
  readonly log: (message: string, details: Record<string, unknown>) => void;
}
