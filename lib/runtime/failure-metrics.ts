import { ConnectorError } from '../core/errors.ts';
import { embedMetrics, type Log } from '../core/log.ts';
import { metricsWritten, type MetricsWritten } from './config.ts';

const NAMESPACE = 'MdmStreamFunctions';

/** While a login is not tried again, calls fail with the error that it was refused with: each counts once. */
const countedRefusals = new WeakSet<ConnectorError>();

/** Whether the MDM has refused the connector's own credentials: its 4xx of a login, or a 401, become 502. */
function isNewRefusal(error: ConnectorError): boolean {
  if (error.type !== 'MDM:CLIENT_ERROR' || error.status !== 502 || countedRefusals.has(error)) return false;
  countedRefusals.add(error);
  return true;
}

/**
 * What failed in an invocation, for the alarms over all functions of a deployment: failures by type, refused logins, and
 * server failures, which are those that a caller sees with a status of 500 or more.
 */
export class FailureCounts {
  readonly #byType = new Map<string, number>();
  #refusedLogins = 0;
  #serverFailures = 0;

  /** Counts what a caller's call failed with; what is no `ConnectorError` is none of a call. */
  add(error: unknown): this {
    if (error instanceof ConnectorError && error.status >= 500) this.#serverFailures++;
    return this.addAttempt(error);
  }

  /** Counts what one attempt failed with that will be repeated: it is no failure of the server yet. */
  addAttempt(error: unknown): this {
    if (!(error instanceof ConnectorError)) return this;
    this.#byType.set(error.type, (this.#byType.get(error.type) ?? 0) + 1);
    if (isNewRefusal(error)) this.#refusedLogins++;
    return this;
  }

  /**
   * Writes a line of metrics for each type, and one for refused logins and server failures; nothing outside of Lambda.
   *
   * @param functionName `<deployment>-<operation>`
   * @param written default: what the function is to write; `basic` is server failures alone
   */
  write(
    log: Log,
    functionName: string | undefined,
    operation: string,
    written: MetricsWritten = metricsWritten(),
  ): void {
    const deployment = functionName?.slice(0, -operation.length - 1);
    if (!deployment || written === 'off') return;
    const embedded = { namespace: NAMESPACE, dimensions: [['deployment', 'type']], units: { failures: 'Count' } };
    for (const [type, failures] of written === 'full' ? this.#byType : []) {
      log.always('failure', { deployment, type, failures, ...embedMetrics(embedded) });
    }
    const inAll = (message: string, name: string, count: number) => {
      if (count === 0) return;
      const embedded = { namespace: NAMESPACE, dimensions: [['deployment']], units: { [name]: 'Count' } };
      log.always(message, { deployment, [name]: count, ...embedMetrics(embedded) });
    };
    if (written === 'full') inAll('login refused', 'refusedLogins', this.#refusedLogins);
    inAll('server failure', 'serverFailures', this.#serverFailures);
  }
}
