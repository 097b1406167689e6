import type { ConnectorError } from '../core/errors.ts';
import { embedMetrics, type Log } from '../core/log.ts';

const NAMESPACE = 'MdmStreamFunctions';

/** Whether the MDM refused the connector's own credentials: its 4xx of a login, or a 401, become 502. */
const isRefusedLogin = ({ type, status }: ConnectorError) => type === 'MDM:CLIENT_ERROR' && status === 502;

/**
 * Counts a failed call for the alarms, over all functions of the deployment: `failures` by type, and `refusedLogins`.
 *
 * @param functionName `<deployment>-<operation>`
 */
export function countFailure(log: Log, error: ConnectorError, functionName: string, operation: string): void {
  const deployment = functionName.slice(0, -operation.length - 1);
  if (deployment === '') return; // not on Lambda
  const { type } = error;
  const failures = { namespace: NAMESPACE, dimensions: [['deployment', 'type']], units: { failures: 'Count' } };
  log.metrics('failure', { deployment, type, failures: 1, ...embedMetrics(failures) });
  if (!isRefusedLogin(error)) return;
  const refused = { namespace: NAMESPACE, dimensions: [['deployment']], units: { refusedLogins: 'Count' } };
  log.metrics('login refused', { deployment, refusedLogins: 1, ...embedMetrics(refused) });
}
