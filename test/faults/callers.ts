import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationName } from '#lib/client/client.ts';
import { OperationError } from '#lib/client/error.ts';
import type { Problem } from '#lib/core/problem.ts';
import type { HttpResponse, Lambda } from '#sandbox/aws/lambda.ts';
import type { Random } from '#test/support/random.ts';
import { Changes, type Answer } from './changes.ts';
import { gatewayClient } from './gateway-client.ts';

export const CALLERS = 50;
/** No call may take longer: the time of its invocation, and what the machine takes to report it. */
const BOUND_MS = 20_000;
const TIMEOUT_MS = 6000;
/** How often, and after which pause, a call is repeated that may be. */
const RETRIES = 30;
const PAUSE_MS = 300;
/** How many calls are made by the client. */
const CLIENTS = 0.3;

export interface CallsReport {
  calls: number;
  failures: Record<string, number>;
  /** What must not be. */
  faults: string[];
}

export interface CallersPlay {
  readonly ms: number;
  readonly seed: number;
  readonly print?: (line: string) => void;
}

export interface Call {
  readonly route: string;
  readonly parameters: object;
  /** The changes that it asks for, one for each record of a batch. */
  readonly changes?: readonly string[];
  /** Whether each of them may be made once at most, however often it is asked for. */
  readonly isOnce?: boolean;
}

/** What happens meanwhile, by a name. */
export type Troubles = Readonly<Record<string, () => unknown>>;

export interface CallersOptions {
  readonly lambdas: readonly Lambda[];
  readonly random: Random;
  /** `name` names another change, a number that no other one has. */
  readonly draw: (random: Random, name: () => string) => Call;
  /** Types and statuses of the errors that may be. */
  readonly allowed: ReadonlySet<string>;
}

/**
 * Fifty callers, side by side with troubles of what is behind the functions. No call may hang. Every error is one of
 * the table, what is `retryable` succeeds, and the outcome says what became of the change.
 */
export class Callers {
  readonly #options: CallersOptions;
  #named = 0;
  readonly changes = new Changes();
  readonly report: CallsReport = { calls: 0, failures: {}, faults: [] };

  constructor(options: CallersOptions) {
    this.#options = options;
  }

  async call(troubles: Troubles, ms: number, print: (line: string) => void): Promise<void> {
    const { random } = this.#options;
    const endsAt = performance.now() + ms;
    const isOver = () => performance.now() > endsAt;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver()) await this.callOnce();
    });
    const disturb = async () => {
      while (!isOver()) {
        await sleep(1000 + random.between(0, 1000));
        const name = random.pick(Object.keys(troubles));
        print(name);
        await troubles[name]!();
      }
    };
    await Promise.all([...callers, disturb()]);
  }

  /** One call. If it may be repeated, half of the callers do that until it succeeds, and the others give up. */
  async callOnce(): Promise<void> {
    const { random, draw, lambdas } = this.#options;
    const call = draw(random, () => String(++this.#named));
    const lambda = random.pick(lambdas);
    for (const name of call.changes ?? []) this.changes.ask(name, { isOnce: call.isOnce ?? false });
    if (random.happens(CLIENTS)) return this.#invoke(lambda, call);
    const first = await this.#send(lambda, call);
    if (!first || first.status < 400) return;
    const { type, retryable, status } = first.json as Problem;
    const name = `${type} ${status}`;
    this.report.failures[name] = (this.report.failures[name] ?? 0) + 1;
    if (!this.#isAllowed(first.json as Problem)) this.report.faults.push(`${call.route}: ${first.text}`);
    if (!retryable || random.happens(0.5)) return;
    for (let retry = 0; retry < RETRIES; retry++) {
      await sleep(PAUSE_MS);
      const again = await this.#send(lambda, call);
      if (!again || again.status < 400 || !(again.json as Problem).retryable) return;
    }
    this.report.faults.push(`${call.route}: ${name} is retryable, and no retry succeeded`);
  }

  /** One call by the client, which repeats by itself what may be repeated. */
  async #invoke(lambda: Lambda, { route, parameters, changes = [] }: Call): Promise<void> {
    this.report.calls++;
    const client = gatewayClient(lambda, this.#options.random, TIMEOUT_MS);
    const name = route.slice(1).replace('/', '-') as OperationName;
    try {
      const output = await client.invoke(name, parameters);
      for (const [index, change] of changes.entries()) this.changes.tell(change, answerIn(output, index));
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      for (const change of changes) this.changes.tell(change, error.outcome);
      const { type, status, message } = error;
      if (type === 'CLIENT:TRANSPORT' || this.#isAllowed(error)) return;
      this.report.faults.push(`${name}: ${type} ${status} ${message}`);
    }
  }

  /** On a busy machine Secrets Manager, of this process, does not answer in time. */
  #isAllowed({ type, status, retryable }: { type: string; status: number; retryable: boolean }): boolean {
    return this.#options.allowed.has(`${type} ${status}`) || (type === 'CONNECTOR:CONFIGURATION' && retryable);
  }

  async #send(lambda: Lambda, { route, parameters, changes = [] }: Call): Promise<HttpResponse | undefined> {
    this.report.calls++;
    const timer = sleep(BOUND_MS, undefined, { ref: false }).then(() => undefined);
    const response = await Promise.race([lambda.post(route, parameters, { timeoutMs: TIMEOUT_MS }), timer]);
    if (!response) this.report.faults.push(`${route} hangs`);
    for (const [index, name] of changes.entries()) this.changes.tell(name, answerOf(response, index));
    return response;
  }
}

/** What a response says of a change: that of the call, or the result of a record of a batch. */
function answerOf(response: HttpResponse | undefined, index: number): Answer {
  if (!response) return 'unknown';
  if (response.status >= 400) return (response.json as Problem).outcome;
  return answerIn(response.json, index);
}

function answerIn(output: unknown, index: number): Answer {
  const { results } = (output ?? {}) as { results?: { error?: Problem }[] };
  return results?.[index]?.error?.outcome ?? 'made';
}
