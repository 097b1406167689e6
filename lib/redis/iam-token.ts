import { SignatureV4 } from '@smithy/signature-v4';
import { awsIdentity } from '../runtime/config.ts';

/** How long a token is good for a connect, in seconds: the most that ElastiCache takes. */
const EXPIRES_IN = 900;

type AwsIdentity = Pick<ConstructorParameters<typeof SignatureV4>[0], 'credentials' | 'region'>;

/**
 * A password for ElastiCache: a `connect` request, signed for the role of the function, without its scheme. It is good
 * for 15 minutes, so one is made for each connect.
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
