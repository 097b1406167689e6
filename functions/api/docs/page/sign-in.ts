import { AwsClient } from 'aws4fetch';
import type { SignIn } from './credentials.ts';

export const REGION = /\.execute-api\.([a-z0-9-]+)\./.exec(location.hostname)?.[1] ?? '';

/** Sends a JSON body, signed or with a token, by the sign-in. */
export async function send(url: string, body: string, signIn: SignIn): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (signIn.kind === 'jwt') headers.authorization = `Bearer ${signIn.token}`;
  const request = new Request(url, { method: 'POST', headers, body });
  if (signIn.kind !== 'iam') return fetch(request);
  const { kind: _, region, ...credentials } = signIn;
  return new AwsClient({ ...credentials, region, service: 'execute-api', retries: 0 }).fetch(request);
}
