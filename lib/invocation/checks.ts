import type { Check, CheckReport, FailOn } from '../contract/parameters/check.ts';
import { ConnectorError } from '../core/errors.ts';
import type { Invocation } from './invocation.ts';

/** What a check found. */
export interface Found<T> {
  /** Default: passed. */
  readonly status?: Check['status'];
  readonly detail: string;
  readonly hint?: string;
  /** For the checks that follow. */
  readonly value: T;
}

/** Checks in their order. Those that an earlier failure prevents are reported as skipped. */
export class Checks {
  readonly #names: readonly string[];
  readonly #done = new Map<string, Check>();

  /** @param names of all checks, in their order */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /**
   * Carries out a check, and returns its value; undefined if it failed.
   *
   * @throws {ConnectorError} what refuses the call itself: an unknown configRef, or what `access` does not allow
   */
  async run<T>(name: string, check: () => Found<T> | Promise<Found<T>>): Promise<T | undefined> {
    const startedAt = performance.now();
    const found = await this.#resultOf(check);
    const { status = 'passed', detail, hint } = found;
    const ms = Math.round(performance.now() - startedAt);
    this.#done.set(name, { name, status, ms, detail, hint });
    return status === 'failed' ? undefined : found.value;
  }

  async #resultOf<T>(check: () => Found<T> | Promise<Found<T>>): Promise<Found<T | undefined>> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof ConnectorError) || isRefusalOfCall(error)) throw error;
      return { status: 'failed', detail: error.message, hint: error.hint, value: undefined };
    }
  }

  /** The report, with every check that was not carried out. */
  report(failOn: FailOn): CheckReport {
    const failed = [...this.#done.values()].findLast(({ status }) => status === 'failed');
    const reason = failed ? `Not checked, because ${failed.name} failed` : 'Not checked';
    const skipped = (name: string): Check => ({ name, status: 'skipped', ms: 0, detail: reason });
    const checks = this.#names.map((name) => this.#done.get(name) ?? skipped(name));
    const ok = !checks.some(({ status }) => status === 'failed' || status === failOn);
    return { ok, checks };
  }
}

/** A refusal by the connector itself, before anything is sent. */
function isRefusalOfCall({ status, upstreamStatus, upstreamCode }: ConnectorError): boolean {
  return (status === 400 || status === 403) && upstreamStatus === undefined && upstreamCode === undefined;
}

/**
 * The output of a check. A direct or scheduled invocation that is not `ok` fails, so that an alarm rings. Logs what did
 * not pass.
 *
 * @throws {ConnectorError} `CONNECTOR:CHECK`, which names the checks
 */
export function conclude(checks: Checks, failOn: FailOn, invocation: Invocation): CheckReport {
  const report = checks.report(failOn);
  const unpassed = report.checks.filter(({ status }) => status !== 'passed');
  for (const { name, ...found } of unpassed) {
    if (found.status !== 'skipped') invocation.log.warn('check', { check: name, ...found });
  }
  if (report.ok || invocation.isHttp) return report;
  const causes = unpassed.filter(({ status }) => status === 'failed' || status === failOn);
  const message = causes.map(({ name, status, detail }) => `${name} ${verbOf(status)}: ${detail}`).join('; ');
  throw new ConnectorError('CONNECTOR:CHECK', message);
}

const verbOf = (status: Check['status']) => (status === 'warning' ? 'warns' : 'failed');
