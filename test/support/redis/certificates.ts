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
  /** The server's certificate and its key, PEM. */
  readonly server: { cert: string; key: string };
  /** A client's certificate and its key, PEM. */
  readonly client: { cert: string; key: string };
  /** Arguments that make a redis-server speak TLS with it, and nothing else. */
  redisArgs(port: number): string[];
  /** Arguments that make a redis-server speak TLS as well as plain TCP, with or without client certificates. */
  besides(tlsPort: number, authClients?: 'yes' | 'no'): string[];
  remove(): Promise<void>;
}

/** Makes certificates with openssl, in a new folder; `names` are the server's. */
export async function makeCertificates(names = ['IP:127.0.0.1']): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  const file = (name: string) => join(folder, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await writeFile(file('san'), `subjectAltName=${names.join()}`);
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
  const issue = async (name: string) => {
    const [own, request, certificate] = [`${name}.key`, `${name}.csr`, `${name}.crt`].map(file) as [
      string,
      string,
      string,
    ];
    await run('openssl', ['req', ...key, '-keyout', own, '-out', request, '-subj', `/CN=${name}`]);
    const issuer = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', file('san')];
    await run('openssl', ['x509', '-req', '-in', request, ...issuer, '-out', certificate]);
    return { cert: await readFile(certificate, 'utf8'), key: await readFile(own, 'utf8') };
  };
  const [server, client] = [await issue('server'), await issue('client')];
  const files = ['--tls-cert-file', file('server.crt'), '--tls-key-file', file('server.key')];

  return {
    ca: await readFile(file('ca.crt'), 'utf8'),
    server,
    client,
    redisArgs: (port) => ['--port', '0', ...tlsArgs(port, 'no'), ...files, '--tls-ca-cert-file', file('ca.crt')],
    besides: (port, auth = 'no') => [...tlsArgs(port, auth), ...files, '--tls-ca-cert-file', file('ca.crt')],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const tlsArgs = (port: number, auth: string) => ['--tls-port', String(port), '--tls-auth-clients', auth];
