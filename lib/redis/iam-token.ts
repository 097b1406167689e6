import { awsSigner } from '../runtime/aws-signer.ts';

/** How long a token is good for a connect, in seconds: the most that ElastiCache takes. */
const EXPIRES_IN = 900;

/**
 * A password for ElastiCache: a `connect` request, signed for the role of the function, without its scheme. It is good
 * for 15 minutes, so one is made for each connect.
 *
 * @see https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/auth-iam.html
 */
export async function iamToken(
  { userId, cacheName }: { userId: string; cacheName: string },
  identity?: Parameters<typeof awsSigner>[1],
  signingDate = new Date(),
): Promise<string> {
  const signer = awsSigner('elasticache', identity);
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
