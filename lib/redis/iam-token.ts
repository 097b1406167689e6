import { SignatureV4 } from '@smithy/signature-v4';
import { awsIdentity } from '../config/config.ts';

/** Validity of a token in seconds: the maximum of ElastiCache. */
const EXPIRES_IN = 900;

type AwsIdentity = Pick<ConstructorParameters<typeof SignatureV4>[0], 'credentials' | 'region'>;

/**
 * A password for ElastiCache: a `connect` request signed for the function's role, without its scheme. It is valid for
 * 15 minutes, so each connect makes one.
 *
 * @see https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/auth-iam.html
 */
export async function iamToken(
  { userId, cacheName }: { userId: string; cacheName: string },
  { credentials, region }: AwsIdentity = awsIdentity(),
  signingDate = new Date(),
): Promise<string> {
  const signer = new SignatureV4({ credentials, region, service: 'elasticache', sha256: awsIdentity().sha256 });
  const host = cacheName.toLowerCase();
  const request = {
    method: 'GET',
    protocol: 'https:',
    hostname: host,
    path: '/',
    query: { Action: 'connect', User: userId },
    headers: { host },
  };
  const { query } = await signer.presign(request, { expiresIn: EXPIRES_IN, signingDate });
  return `${host}/?${new URLSearchParams(query as Record<string, string>).toString().replaceAll('+', '%20')}`;
}
