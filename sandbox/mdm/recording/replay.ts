import { mergeHeaders } from '#lib/mdm/exchange/headers.ts';
import type { DialectName } from '../records/dialect.ts';
import type { SandboxResponse } from '../records/responses.ts';
import { HTML, UNKNOWN, type Exchange, type Recording } from './recording.ts';
import { distance, reshape, shapeOf } from './shape.ts';

/** The request that is answered. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
}

/** Answers as a recorded tenant does: with its statuses, headers and members, and the sandbox's records. */
export class Replay {
  readonly #exchanges: readonly Exchange[];
  readonly #url: () => string;

  /** @param url of the sandbox, in place of the tenant's addresses */
  constructor(recording: Recording, url: () => string) {
    this.#exchanges = Object.values(recording).flat();
    this.#url = url;
  }

  /** Media types of a PATCH that the tenant took; empty if none was recorded. */
  get patchTypes(): string[] {
    const accepted = this.#exchanges.filter(({ method, status }) => method === 'PATCH' && status < 400);
    return [...new Set(accepted.map(({ contentType = '' }) => contentType))];
  }

  /** The dialect that is closest: that of the service says little of a write in its body. */
  get dialect(): DialectName {
    const written = this.#exchanges.filter(
      ({ method, path, status }) => method !== 'DELETE' && isWrite(method, path) && status < 300,
    );
    const isSilent = written.some(({ body }) => body === undefined);
    return isSilent || this.#exchanges.some(({ headers }) => 'x_infa_log_ctx' in headers) ? 'service' : 'public';
  }

  /**
   * A response of the sandbox as the tenant gives it; unchanged if the recording has none of its kind.
   *
   * @param usual headers of the sandbox, in place of values that are not recorded
   */
  dress(asked: Asked, truth: SandboxResponse, usual: Readonly<Record<string, string>>): SandboxResponse {
    const alike = this.#of(asked).filter(({ status }) => status < 400 === truth.status < 400);
    const isSuccess = truth.status < 400;
    const candidates = isSuccess
      ? alike.filter(({ body }) => body !== undefined || isWrite(asked.method, asked.path) || truth.body === undefined)
      : alike.filter(({ status }) => status === truth.status);
    const shape = truth.body === undefined ? undefined : shapeOf(parsed(truth.body));
    const [found] = candidates.toSorted((one, other) => distance(one.body, shape) - distance(other.body, shape));
    if (!found) return { ...truth, headers: mergeHeaders(usual, truth.headers ?? {}) };
    return this.#respond(found, truth, mergeHeaders(usual, truth.headers ?? {}));
  }

  #of({ method, path, contentType }: Asked): Exchange[] {
    const fits = this.#exchanges.filter((one) => one.method === method && matches(one.path, path));
    return fits.filter((one) => one.contentType === contentType);
  }

  #respond(recorded: Exchange, truth: SandboxResponse, known: Readonly<Record<string, string>>): SandboxResponse {
    const { status, body } = recorded;
    const values = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]));
    const [unknown = ''] = values.values();
    const pairs = Object.entries(recorded.headers).map(([name, value]) => [
      name,
      value === UNKNOWN ? (values.get(name) ?? unknown) : value,
    ]);
    const headers = Object.fromEntries(pairs) as Record<string, string>;
    if (body === undefined) return { status, headers };
    if (body === HTML) return { status, headers, body: '<!DOCTYPE html><title>Recorded</title>' };
    return { status, headers, body: reshape(body, parsed(truth.body), this.#url()) };
  }
}

/** The data model is text already. */
const parsed = (body: unknown): unknown => (typeof body === 'string' ? JSON.parse(body) : body);

/** Whether a request changes records: some searches are POST requests too. */
const isWrite = (method: string, path: string) =>
  /^(POST|PATCH|PUT|DELETE)$/.test(method) &&
  /\/business-entity\//.test(path) &&
  !/\/(filter$|preview-entity\/)/.test(path);

/** Whether a path has the form of a recorded one; `{…}` stands for any segment. */
function matches(template: string, path: string): boolean {
  const [of, segments] = [template.split('/'), path.split('/')];
  if (of.length !== segments.length) return false;
  return of.every((segment, at) => segment.startsWith('{') || segment === segments[at]);
}
