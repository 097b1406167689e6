import { isDeepStrictEqual } from 'node:util';
import { ConnectorError } from '../../core/errors.ts';
import type { MdmConfig } from '../../config/config.schema.ts';
import { loginPauseAfter, type SharedRefusal } from './session-store.ts';
import { Stopwatch } from '../../core/stopwatch.ts';

/** Minimum time between two reads of the secret during a pause. */
const CHECK_AGAIN_MS = 1_000;

interface Refusal {
  readonly error: ConnectorError;
  readonly credentials: unknown;
  readonly age: Stopwatch;
  readonly pauseMs: number;
  sinceCheck?: Stopwatch;
}

/**
 * The pause after a refused login. Its credentials are not tried again for a growing time, because that could lock the
 * account. The secret is read again meanwhile, and other credentials are tried at once.
 */
export class LoginPause {
  #refusal?: Refusal;

  /** A login with these credentials was refused. */
  begin(error: ConnectorError, config: MdmConfig): void {
    const pauseMs = loginPauseAfter(this.#refusal?.pauseMs);
    this.#refusal = { error, credentials: credentialsOf(config), age: new Stopwatch(), pauseMs };
  }

  /** A login succeeded. */
  end(): void {
    this.#refusal = undefined;
  }

  /** Whether these credentials may log in: they are not the refused ones, or the pause is over. */
  allows(config: MdmConfig): boolean {
    const refusal = this.#refusal;
    if (!refusal || refusal.age.elapsedMs() >= refusal.pauseMs) return true;
    return !isDeepStrictEqual(credentialsOf(config), refusal.credentials);
  }

  /**
   * The configuration to log in with, from the cache or read again from the secret.
   *
   * @throws {ConnectorError} the refusal, while it forbids another login.
   */
  async check(config: MdmConfig, reread: () => Promise<MdmConfig>): Promise<MdmConfig> {
    const refusal = this.#refusal;
    if (!refusal || !isDeepStrictEqual(credentialsOf(config), refusal.credentials)) return config;
    const isChecked = refusal.sinceCheck && refusal.sinceCheck.elapsedMs() < CHECK_AGAIN_MS;
    if (isChecked && !this.allows(config)) throw refusal.error;
    refusal.sinceCheck = new Stopwatch();
    const current = await reread();
    if (this.allows(current)) return current;
    throw refusal.error;
  }
}

const credentialsOf = ({ auth, baseUrl }: MdmConfig) => ({ auth, baseUrl });

/** Whether the credentials were refused, and not just the moment (429). */
export const isRefusal = (error: unknown): error is ConnectorError =>
  error instanceof ConnectorError && error.type === 'MDM:CLIENT_ERROR' && !error.temporary;

/** A refusal in its shared form; undefined for other errors. */
export function refusalOf(error: unknown): SharedRefusal | undefined {
  if (!isRefusal(error)) return undefined;
  const { upstreamStatus, upstreamCode } = error;
  return { upstreamStatus, upstreamCode };
}
