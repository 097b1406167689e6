import { setTimeout as wait } from 'node:timers/promises';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { startSandboxMdm, type SandboxMdm, type SandboxOptions } from '#sandbox/mdm/index.ts';
import type { MdmStack } from './mdm-sandbox.ts';
import { postSource } from '../aws/source-handler.ts';

/** What may happen to a tenant and its containers. */
export type Happening =
  | { kind: 'call'; container: number; times: number }
  | { kind: 'freeze'; container: number; forMs: number }
  | { kind: 'expire' | 'rotate' | 'change-password' | 'publish-password' }
  | { kind: 'login-fails' | 'api-fails' | 'api-refuses' | 'secrets-fail'; on: boolean }
  | { kind: 'clock'; byMs: number };

/** Sums over a world's life, for the bounds. */
export interface Counts {
  calls: number;
  expiries: number;
  passwords: number;
  clockJumps: number;
  /** Containers that were frozen while they logged in. */
  freezes: number;
  /** How often the API began to refuse every session. */
  refusals: number;
  failed: number;
  /** Calls that may have failed: the API is out of order, or they lack a session and what a login needs. */
  mayFail: number;
  /** Calls that failed although nothing was wrong and nothing had been, as far as their container knows. */
  unexplained: string[];
}

const LONGEST_PAUSE_MS = 10 * 60_000;
/** How long a login of a container that freezes takes, and what its invocation waits for it, in milliseconds. */
const FROZEN_LOGIN_MS = 150;
const FROZEN_CALL_MS = 50;

/** A tenant, several containers that call it, and a clock of theirs that may be wrong. */
export class SessionWorld {
  readonly counts: Counts = {
    calls: 0,
    expiries: 0,
    passwords: 1,
    clockJumps: 0,
    freezes: 0,
    refusals: 0,
    failed: 0,
    mayFail: 0,
    unexplained: [],
  };
  readonly mdm: SandboxMdm;
  readonly #stack: MdmStack;
  readonly #configRefs: string[];
  readonly #more: { mdm?: object; rest?: object };
  /** Containers that a refusal may keep from trying. */
  readonly #paused = new Set<number>();
  /** Those of them whose login may end after their clock was set: the pause then counts from there. */
  readonly #frozen = new Set<number>();
  /**
   * Containers that were served since sessions last ended: theirs lives, so a login that would be refused, a service
   * that fails logins, or a secret that cannot be read is no reason to fail them. One that was never served has no
   * session, and needs a login with the password that is published, right or not.
   */
  readonly #hasSession = new Set<number>();
  #published: string;
  #skewMs = 0;
  #greatestSkewMs = 0;
  #wrong = new Set<string>();
  readonly #realNow = Date.now;

  private constructor(mdm: SandboxMdm, stack: MdmStack, containers: number, more: { mdm?: object; rest?: object }) {
    this.mdm = mdm;
    this.#stack = stack;
    this.#more = more;
    this.#published = mdm.secret.auth.password;
    this.#configRefs = Array.from({ length: containers }, () => stack.configure());
    this.#publish(this.#published);
    Date.now = () => this.#realNow() + (isCalledBySandbox() ? 0 : this.#skewMs);
  }

  static async open(
    stack: MdmStack,
    containers: number,
    options: SandboxOptions,
    more: { mdm?: object; rest?: object },
  ) {
    const mdm = await startSandboxMdm(options);
    const record = { name: 'Bonn', country: { Code: 'DE' } };
    mdm.records.submit({ entity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1', record });
    return new SessionWorld(mdm, stack, containers, more);
  }

  async happen(happening: Happening): Promise<void> {
    switch (happening.kind) {
      case 'call':
        return this.#call(happening.container % this.#configRefs.length, happening.times);
      case 'freeze':
        return this.#freeze(happening.container % this.#configRefs.length, happening.forMs);
      case 'expire':
        return this.#expireAll();
      case 'rotate':
        this.#changePassword();
        return this.#publish(this.mdm.sessions.password);
      case 'change-password':
        return this.#changePassword();
      case 'publish-password':
        return this.#publish(this.mdm.sessions.password);
      case 'clock':
        this.counts.clockJumps++;
        return this.#setClock(this.#skewMs + happening.byMs);
      default:
        return this.#setWrong(happening.kind, happening.on);
    }
  }

  /** Lets logins of frozen containers end, which may open sessions that are already over. */
  async settle(): Promise<void> {
    if (this.counts.freezes > 0) await wait(2 * FROZEN_LOGIN_MS);
  }

  /** Puts all right, lets pauses end, and returns how many containers are not served at once. */
  async heal(): Promise<number> {
    for (const kind of ['login-fails', 'api-fails', 'api-refuses', 'secrets-fail'] as const)
      this.#setWrong(kind, false);
    this.#publish(this.mdm.sessions.password);
    this.#setClock(this.#greatestSkewMs + LONGEST_PAUSE_MS);
    this.counts.clockJumps++;
    const statuses = await Promise.all(this.#configRefs.map((_, container) => this.#read(container)));
    return statuses.filter((status) => status !== 200).length;
  }

  async close(): Promise<void> {
    Date.now = this.#realNow;
    this.#stack.secrets.failWith(undefined);
    await this.mdm.close();
  }

  async #call(container: number, times: number): Promise<void> {
    const isPublished = this.#published === this.mdm.sessions.password;
    if (this.#wrong.has('api-refuses') || !isPublished) this.#pause(container);
    const isWell = this.#wrong.size === 0 && isPublished;
    const isApiWell = !this.#wrong.has('api-fails') && !this.#wrong.has('api-refuses');
    const isServed = (isWell && !this.#paused.has(container)) || (isApiWell && this.#hasSession.has(container));
    const statuses = await Promise.all(Array.from({ length: times }, () => this.#read(container)));
    const failed = statuses.filter((status) => status !== 200);
    this.counts.calls += times;
    this.counts.failed += failed.length;
    if (!isServed) this.counts.mayFail += times;
    else if (failed.length > 0) this.counts.unexplained.push(`${container}: ${failed.join()}`);
    if (isWell && failed.length === 0) for (const set of [this.#paused, this.#frozen]) set.delete(container);
    if (failed.length === 0) this.#hasSession.add(container);
  }

  /** A session that a container just got may be refused. Containers that share sessions share the pause after that. */
  #pause(container: number): void {
    for (const each of this.#isShared ? this.#configRefs.keys() : [container]) this.#paused.add(each);
  }

  get #isShared(): boolean {
    return this.#more.mdm !== undefined;
  }

  #expireAll(): void {
    this.counts.expiries++;
    this.#hasSession.clear();
    this.mdm.sessions.expireAll();
  }

  /**
   * All sessions end, and the container is frozen as Lambda does it: its invocation is over while it logs in, and time
   * passes until the next one.
   */
  async #freeze(container: number, forMs: number): Promise<void> {
    this.counts.freezes++;
    this.#expireAll();
    this.mdm.misbehave({ path: '/saas', delayMs: FROZEN_LOGIN_MS });
    await this.#read(container, FROZEN_CALL_MS);
    this.#pause(container); // no container has used the session that it got: its refusal begins a pause
    this.#frozen.add(container);
    this.#setClock(this.#skewMs + forMs);
    this.counts.clockJumps++;
  }

  async #read(container: number, timeoutMs = 3000): Promise<number> {
    const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };
    const { status } = await postSource(masterRead, { configRef: this.#configRefs[container], ...key }, { timeoutMs });
    return status;
  }

  #setClock(skewMs: number): void {
    // pauses in Redis end by its clock
    const isOver = !this.#isShared && skewMs >= this.#greatestSkewMs + LONGEST_PAUSE_MS;
    if (isOver) for (const container of this.#paused) if (!this.#frozen.has(container)) this.#paused.delete(container);
    this.#hasSession.clear(); // a token may have come to its end
    this.#skewMs = skewMs;
    this.#greatestSkewMs = Math.max(this.#greatestSkewMs, skewMs);
  }

  #changePassword(): void {
    this.counts.passwords++;
    this.mdm.sessions.password = `password-${this.counts.passwords}`;
  }

  #publish(password: string): void {
    this.#published = password;
    const auth = { ...this.mdm.secret.auth, password };
    const secret = { mdm: { ...this.mdm.secret, auth, timeoutMs: 2000, ...this.#more.mdm }, ...this.#more.rest };
    for (const configRef of this.#configRefs) this.#stack.secrets.set(`test/${configRef}`, secret);
  }

  #setWrong(kind: 'login-fails' | 'api-fails' | 'api-refuses' | 'secrets-fail', on: boolean): void {
    if (on && kind === 'api-refuses' && !this.#wrong.has(kind)) this.counts.refusals++;
    if (on) this.#wrong.add(kind);
    else this.#wrong.delete(kind);
    this.#stack.secrets.failWith(this.#wrong.has('secrets-fail') ? 'InternalServiceError' : undefined);
    this.mdm.behave();
    if (this.#wrong.has('login-fails')) this.mdm.misbehave({ path: '/saas', status: 503, times: null });
    if (this.#wrong.has('api-refuses')) this.mdm.misbehave({ path: '/business-entity', status: 401, times: null });
    else if (this.#wrong.has('api-fails')) this.mdm.misbehave({ path: '/business-entity', status: 500, times: null });
  }
}

/** The sandbox runs in this process, but has its own clock. */
function isCalledBySandbox(): boolean {
  return /[\\/]sandbox[\\/]/.test(new Error().stack!);
}
