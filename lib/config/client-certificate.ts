import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Fault } from '../core/errors.ts';

/**
 * Checks that the client certificate of a secret's `mdm` part can be read, and that its key belongs to it.
 *
 * @returns every fault, without values
 */
export function checkClientCertificate(mdm: unknown): Fault[] {
  const { cert, key } = (mdm ?? {}) as { cert?: unknown; key?: unknown };
  if (typeof cert !== 'string' || typeof key !== 'string') return []; // the schema reports it
  const certificate = attempt(() => new X509Certificate(cert));
  const privateKey = attempt(() => createPrivateKey(key));
  const fault = (name: string, message: string): Fault[] => [{ pointer: `/mdm/${name}`, message }];
  if (!certificate || !privateKey) {
    return [
      ...(certificate ? [] : fault('cert', 'is no certificate')),
      ...(privateKey ? [] : fault('key', 'is no private key without a passphrase')),
    ];
  }
  return certificate.checkPrivateKey(privateKey) ? [] : fault('key', 'does not belong to cert');
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
