import { createHmac, randomBytes } from 'node:crypto';

export interface SessionOptions {
  /** `opaque` ids end when they are unused; a `jwt` has a fixed end. Default opaque. */
  kind: 'opaque' | 'jwt';
  /** Life of a session: since its last use (opaque) or since its login (jwt). Default 30 minutes. */
  lifetimeMs: number;
  /** Length of a JWT in characters, by padding. Default 600. */
  jwtLength: number;
  /** How long the API refuses a new session, because it does not know it yet. Default 0. */
  knownAfterMs: number;
}

/** The client that gets tokens from the identity provider. */
export const OAUTH_CLIENT = { orgId: 'org-1', clientId: 'sandbox-client', clientSecret: 'sandbox-client-secret' };

/** The sessions of one organisation, and the one user who may open them. */
export class Sessions {
  /** Number of successful logins. */
  logins = 0;
  refusedLogins = 0;
  username: string;
  password: string;
  readonly #options: SessionOptions;
  readonly #endsAt = new Map<string, number>();
  readonly #knownAt = new Map<string, number>();
  readonly #key = randomBytes(32);
  readonly #tokens = new Set<string>();

  constructor(username: string, password: string, options: Partial<SessionOptions> = {}) {
    this.username = username;
    this.password = password;
    this.#options = { kind: 'opaque', lifetimeMs: 30 * 60_000, jwtLength: 600, knownAfterMs: 0, ...options };
  }

  /** A new session id, or undefined for a wrong user name or password. */
  open(username: unknown, password: unknown): string | undefined {
    if (username !== this.username || password !== this.password) {
      this.refusedLogins++;
      return undefined;
    }
    this.logins++;
    const { kind, lifetimeMs } = this.#options;
    const exp = Math.ceil((Date.now() + lifetimeMs) / 1000);
    const id = kind === 'jwt' ? this.#token(exp) : `sid-${randomBytes(16).toString('hex')}`;
    this.#knownAt.set(id, Date.now() + this.#options.knownAfterMs);
    this.#endsAt.set(id, kind === 'jwt' ? exp * 1000 : Date.now() + lifetimeMs);
    return id;
  }

  /** Whether a session is valid. Using an opaque one prolongs it. */
  use(id: string | undefined): boolean {
    const endsAt = this.#endsAt.get(id ?? '');
    if (endsAt === undefined || endsAt <= Date.now() || this.#knownAt.get(id!)! > Date.now()) return false;
    if (this.#options.kind === 'opaque') this.#endsAt.set(id!, Date.now() + this.#options.lifetimeMs);
    return true;
  }

  close(id: string | undefined): boolean {
    return this.#endsAt.delete(id ?? '');
  }

  expireAll(): void {
    this.#endsAt.clear();
  }

  /** A token of the identity provider, for one login; undefined for a wrong client or secret. */
  issueToken(clientId: unknown, clientSecret: unknown): string | undefined {
    if (clientId !== OAUTH_CLIENT.clientId || clientSecret !== OAUTH_CLIENT.clientSecret) return undefined;
    const token = `idp-${randomBytes(16).toString('hex')}`;
    this.#tokens.add(token);
    return token;
  }

  /** A new session id for a token, which serves once; undefined for any other token or organisation. */
  openByToken(orgId: unknown, token: unknown): string | undefined {
    const isKnown = orgId === OAUTH_CLIENT.orgId && this.#tokens.delete(token as string);
    return isKnown ? this.open(this.username, this.password) : this.open(undefined, undefined);
  }

  /** When a session ends, in milliseconds since 1970. */
  endOf(id: string): number {
    return this.#endsAt.get(id)!;
  }

  #token(exp: number): string {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const claims = { sub: this.username, exp, jti: randomBytes(8).toString('hex') };
    const bare = encode({ alg: 'HS256', typ: 'JWT' }).length + encode(claims).length + 45;
    const padding = Math.max(0, Math.floor(((this.#options.jwtLength - bare) * 3) / 4) - 11);
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, roles: 'r'.repeat(padding) })}`;
    return `${signed}.${createHmac('sha256', this.#key).update(signed).digest('base64url')}`;
  }
}
