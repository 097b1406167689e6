import type { MdmConfig, RedisConfig } from '../runtime/config.schema.ts';
import type { Session } from './login.ts';

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** How long a refused login is not repeated: doubled by each refusal, so that no account is locked by us. */
export function pauseAfter(lastPauseMs: number | undefined): number {
  return lastPauseMs === undefined ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, lastPauseMs * 2);
}

/** A login that was refused, as containers tell each other of it. */
export interface SharedRefusal {
  readonly upstreamStatus?: number;
  readonly upstreamCode?: string;
  /** How long it is not repeated, in milliseconds; and until when, in epoch milliseconds. */
  readonly pauseMs?: number;
  readonly until?: number;
}

/** What a login came to: one of the two. */
export interface SharedLogin {
  readonly session?: Session;
  readonly refusal?: SharedRefusal;
}

export interface SharedLoginOptions {
  readonly mdm: MdmConfig;
  readonly redis: RedisConfig;
  /** Session that the API refused, so that it is replaced. */
  readonly refusedId?: string;
  /** Logs in. */
  readonly open: () => Promise<Session>;
  /** Tells whether an error of `open` is a refusal of the credentials. */
  readonly refusalOf: (error: unknown) => SharedRefusal | undefined;
  readonly log: (message: string, details: Record<string, unknown>) => void;
}
