import { ConnectorError } from '../core/errors.ts';
import { embedMetrics, type Log } from '../core/log.ts';
import { metricsWritten, type MetricsWritten } from '../config/config.ts';

const NAMESPACE = 'MdmStreamFunctions';

/** During the pause after a refused login, calls fail with the same error object; it counts once. */
const countedRefusals = new WeakSet<ConnectorError>();

/** Whether the MDM refused the connector's own credentials: a 4xx of a login, or a 401, becomes a 502. */
function isNewRefusal(error: ConnectorError): boolean {
  if (error.type !== 'MDM:CLIENT_ERROR' || error.status !== 502 || countedRefusals.has(error)) return false;
  countedRefusals.add(error);
  return true;
}

/**
 * The failures of an invocation, for the alarms of a deployment: failures by type, refused logins, and server failures,
 * which callers see with a status of 500 or more.
 */
export class FailureCounts {
  readonly #byType = new Map<string, number>();
  #refusedLogins = 0;
  #serverFailures = 0;

  /** Counts the failure of a call; ignores errors other than `ConnectorError`. */
  add(error: unknown): this {
    if (error instanceof ConnectorError && error.status >= 500) this.#serverFailures++;
    return this.addAttempt(error);
  }

  /** Counts a failed attempt that will be repeated; it is not a server failure yet. */
  addAttempt(error: unknown): this {
    if (!(error instanceof ConnectorError)) return this;
    this.#byType.set(error.type, (this.#byType.get(error.type) ?? 0) + 1);
    if (isNewRefusal(error)) this.#refusedLogins++;
    return this;
  }

  /**
   * Writes a line of metrics for each type, and one for refused logins and server failures. Writes nothing outside of
   * Lambda.
   *
   * @param functionName `<deployment>-<operation>`
   * @param written default: the function's setting; `basic` writes server failures only
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
