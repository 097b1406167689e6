import type { Context } from 'aws-lambda';
import { rootLog } from './config.ts';
import { Deadline } from '../core/deadline.ts';
import type { Log } from '../core/log.ts';
import type { Connector } from '../contract/connector.ts';
import type { Operation } from '../contract/operation.ts';
import { FailureCounts } from './failure-metrics.ts';
import { Output, type Travel } from './output.ts';

/** Time of an invocation whose context does not report it, in milliseconds. */
const DEFAULT_REMAINING_MS = 29_000;

/** Memory of a function whose context does not report it: what functions are deployed with by default. */
const DEFAULT_MEMORY_MB = 512;

/** What an operation knows of the call it serves. What few calls need is made when it is asked for. */
export class Invocation {
  /** Name of the operation, `stream-xadd`. */
  readonly operation: string;
  /** Connector whose error type reports invalid input. */
  readonly connector: Connector;
  /** Which connector configuration the caller chose. */
  readonly configRef: string;
  /** When the work must have ended. */
  readonly deadline: Deadline;
  readonly #context: Context;
  readonly #travel: () => Travel;
  #failures: FailureCounts | undefined;
  #log: Log | undefined;
  #output: Output | undefined;

  constructor({ name, connector }: Operation, configRef: string, context: Context, travel: () => Travel) {
    this.operation = name;
    this.connector = connector;
    this.configRef = configRef;
    this.deadline = Deadline.ofInvocation(context.getRemainingTimeInMillis?.() ?? DEFAULT_REMAINING_MS);
    this.#context = context;
    this.#travel = travel;
  }

  /** Lambda's request id, also in every problem and log line. */
  get requestId(): string {
    return this.#context.awsRequestId;
  }

  /** Memory of the function, in MB. */
  get memoryMb(): number {
    return Number(this.#context.memoryLimitInMB) || DEFAULT_MEMORY_MB;
  }

  /** Failed calls that the operation goes on after; alarms watch them as they watch failed invocations. */
  get failures(): FailureCounts {
    return (this.#failures ??= new FailureCounts());
  }

  /** Log bound to the request id. */
  get log(): Log {
    return (this.#log ??= rootLog().with({ requestId: this.requestId, operation: this.operation }));
  }

  /** For an output that is written in parts. */
  get output(): Output {
    return (this.#output ??= new Output(this.#travel()));
  }

  /** Writes the metrics of its failures, whether it succeeded or not. */
  end(): void {
    this.#failures?.write(rootLog(), this.#context.functionName, this.operation);
  }
}
