import type { Connector } from '../../contract/operation.ts';
import type { Deadline } from '../../core/deadline.ts';
import { configurationError } from '../../core/errors.ts';
import { readConfig, rereadConfig } from '../../config/config.ts';
import type { ConnectorSecret, MdmConfig } from '../../config/config.schema.ts';

/**
 * The `mdm` part of a connector configuration.
 *
 * @throws {ConnectorError} `CONNECTOR:CONFIGURATION` if the secret has none.
 */
export async function readMdmConfig(configRef: string, connector: Connector, deadline?: Deadline): Promise<MdmConfig> {
  return mdmOf(await readConfig(configRef, connector, deadline), configRef);
}

/** The same, read again from the secret: its credentials may have changed. */
export async function rereadMdmConfig(configRef: string, connector: Connector): Promise<MdmConfig> {
  return mdmOf(await rereadConfig(configRef, connector), configRef);
}

/** The `mdm` part of a secret. */
export function mdmOf({ mdm }: ConnectorSecret, configRef: string): MdmConfig {
  if (mdm) return mdm;
  throw configurationError(`The secret of configRef ${configRef}`, [{ pointer: '/mdm', message: 'is required' }]);
}
