import type { MdmConfig, RedisConfig } from '../../runtime/config.schema.ts';
import type { Session } from './login.ts';

const FIRST_PAUSE_MS = 5_000;
const MAX_LOGIN_PAUSE_MS = 5 * 60_000;
const MAX_RENEWAL_PAUSE_MS = 60_000;

/** How long a refused login is not repeated, in milliseconds: doubled by each refusal, so that no account is locked. */
export function loginPauseAfter(lastPauseMs: number | undefined): number {
  return lastPauseMs === undefined ? FIRST_PAUSE_MS : Math.min(MAX_LOGIN_PAUSE_MS, lastPauseMs * 2);
}

/** How long a new session that the API refused, too, is not replaced by another, in milliseconds. */
export function renewalPauseAfter(lastPauseMs: number | undefined): number {
  return lastPauseMs === undefined ? FIRST_PAUSE_MS : Math.min(MAX_RENEWAL_PAUSE_MS, lastPauseMs * 2);
}

/** A refused login, as shared between containers. */
export interface SharedRefusal {
  readonly upstreamStatus?: number;
  readonly upstreamCode?: string;
  /** How long it is not repeated, in milliseconds. */
  readonly pauseMs?: number;
}

/** What a shared login came to: exactly one of `session`, `refusal` and `renewalPauseMs`. */
export interface SharedLogin {
  readonly session?: Session;
  /** How long the session lives from now, in milliseconds; absent where its end is not known. */
  readonly leftMs?: number;
  /** Whether this container logged in, rather than another one. */
  readonly isOwn?: boolean;
  readonly refusal?: SharedRefusal;
  /** How long no container replaces the refused session, in milliseconds, because its successor would be refused too. */
  readonly renewalPauseMs?: number;
}

export interface SharedLoginOptions {
  readonly mdm: MdmConfig;
  readonly redis: RedisConfig;
  /** Session that the API refused, so that it is replaced. */
  readonly refusedId?: string;
  /** Logs in. */
  readonly open: () => Promise<Session>;
  /** Whether an error of `open` is a refusal of the credentials, and which. */
  readonly refusalOf: (error: unknown) => SharedRefusal | undefined;
  readonly log: (message: string, details: Record<string, unknown>) => void;
}
