import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A private CA, and a server certificate of it for 127.0.0.1. */
export interface Certificates {
  /** The CA's certificate, PEM. */
  readonly ca: string;
  /** Arguments that make a redis-server speak TLS with it. */
  redisArgs(port: number): string[];
  remove(): Promise<void>;
}

/** Makes certificates with openssl, in a folder of their own. */
export async function makeCertificates(): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  const file = (name: string) => join(folder, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await writeFile(file('san'), 'subjectAltName=IP:127.0.0.1');
  await run('openssl', [
    'req',
    '-x509',
    ...key,
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.crt'),
    '-subj',
    '/CN=Private CA',
  ]);
  await run('openssl', ['req', ...key, '-keyout', file('key'), '-out', file('csr'), '-subj', '/CN=Redis']);
  const issuer = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', file('san')];
  await run('openssl', ['x509', '-req', '-in', file('csr'), ...issuer, '-out', file('crt')]);

  return {
    ca: await readFile(file('ca.crt'), 'utf8'),
    redisArgs: (port) => [
      ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no'],
      ...['--tls-cert-file', file('crt'), '--tls-key-file', file('key'), '--tls-ca-cert-file', file('ca.crt')],
    ],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
