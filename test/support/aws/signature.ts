import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Identity {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Whether a call to a service (`execute-api` is API Gateway with its IAM authorizer) is signed by this identity:
 * Signature Version 4, computed here by its specification rather than by a library that a client may have used.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function isSignedBy(
  identity: Identity,
  service: string,
  { method, url, headers }: IncomingMessage,
  body: string,
): boolean {
  const [, keyId, date, region, signedFor, names, signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  if (keyId !== identity.accessKeyId || signedFor !== service) return false;
  if (headers['x-amz-security-token'] !== identity.sessionToken) return false;
  const signed = names!.split(';');
  if (!signed.includes('host') || !signed.includes('x-amz-date')) return false;
  const [path, query = ''] = url!.split('?');
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}\n`);
  const canonical = [method, path, query, lines.join(''), names, sha256(body)].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [date!, region!, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${identity.secretAccessKey}`,
  );
  return createHmac('sha256', key).update(toSign).digest('hex') === signature;
}
