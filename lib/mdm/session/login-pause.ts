import { isDeepStrictEqual } from 'node:util';
import { ConnectorError } from '../../core/errors.ts';
import type { MdmConfig } from '../../runtime/config.schema.ts';
import { loginPauseAfter, type SharedRefusal } from './session-store.ts';
import { Stopwatch } from './stopwatch.ts';

/** How often the secret is read again during a pause, at most. */
const CHECK_AGAIN_MS = 1_000;

interface Refusal {
  readonly error: ConnectorError;
  readonly credentials: unknown;
  readonly age: Stopwatch;
  readonly pauseMs: number;
  sinceCheck?: Stopwatch;
}

/**
 * The pause after a refused login: its credentials are not tried again for a growing while, because that could lock the
 * account. Other credentials are tried at once, and looked for in the secret while the pause lasts.
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

  /** Whether these are other credentials than the refused ones, or the pause is over. */
  allows(config: MdmConfig): boolean {
    const refusal = this.#refusal;
    if (!refusal || refusal.age.elapsedMs() >= refusal.pauseMs) return true;
    return !isDeepStrictEqual(credentialsOf(config), refusal.credentials);
  }

  /**
   * What to log in with: the configuration as it is, or as the secret holds it by now.
   *
   * @throws {ConnectorError} the refusal, where that allows no login yet.
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

/** Whether the credentials were refused, rather than the moment (429). */
export const isRefusal = (error: unknown): error is ConnectorError =>
  error instanceof ConnectorError && error.type === 'MDM:CLIENT_ERROR' && !error.retryable;

/** A refusal as it is shared, or undefined for any other error. */
export function refusalOf(error: unknown): SharedRefusal | undefined {
  if (!isRefusal(error)) return undefined;
  const { upstreamStatus, upstreamCode } = error;
  return { upstreamStatus, upstreamCode };
}
