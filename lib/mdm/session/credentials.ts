import type { MdmConfig } from '../../config/config.schema.ts';

export type LoginAuth = Extract<MdmConfig['auth'], { loginUrl: string }>;

/** The parts of a login. */
export interface Credentials {
  /** Who logs in, and where. A session belongs to this. */
  readonly user: readonly (string | undefined)[];
  /** The name of the user or the client. */
  readonly name: string;
  /** What proves it. It may change without ending a session. */
  readonly secret: string;
}

/** The parts of a login, whatever its method. */
export function credentialsOf(auth: LoginAuth): Credentials {
  const { type, loginUrl } = auth;
  if (auth.type === 'login-oauth') {
    const { orgId, tokenUrl, clientId, clientSecret, scope, audience } = auth;
    return { user: [type, loginUrl, orgId, tokenUrl, clientId, scope, audience], name: clientId, secret: clientSecret };
  }
  const { username, password } = auth;
  return { user: [type, loginUrl, username], name: username, secret: password };
}
