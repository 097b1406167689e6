import type { Context } from 'aws-lambda';
import { checkAccess, checkKeys, type AccessCall } from './access.ts';
import { knownConfig, readConfig, rootLog } from './config.ts';
import type { AccessConfig, ConnectorSecret } from './config.schema.ts';
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
  readonly #call: AccessCall;
  #access: AccessConfig | undefined;
  readonly #context: Context;
  readonly #travel: () => Travel;
  #failures: FailureCounts | undefined;
  #log: Log | undefined;
  #output: Output | undefined;

  /** @param parameters of the operation, valid */
  constructor(operation: Operation, parameters: unknown, context: Context, travel: () => Travel) {
    this.operation = operation.name;
    this.connector = operation.connector;
    this.configRef = (parameters as { configRef: string }).configRef;
    this.#call = { operation, configRef: this.configRef, parameters };
    this.deadline = Deadline.ofInvocation(context.getRemainingTimeInMillis?.() ?? DEFAULT_REMAINING_MS);
    this.#context = context;
    this.#travel = travel;
  }

  /**
   * The connector configuration of the call, at once where it is at hand. Nothing else reads it for a call, so that
   * nothing is sent that its `access` does not allow.
   *
   * @throws {ConnectorError} 403 where `access` does not allow the call; and what `readConfig` does
   */
  config(): ConnectorSecret | Promise<ConnectorSecret> {
    const known = knownConfig(this.configRef);
    if (known) return this.#allowed(known);
    return readConfig(this.configRef, this.connector, this.deadline).then((config) => this.#allowed(config));
  }

  #allowed(config: ConnectorSecret): ConnectorSecret {
    this.#access = config.access;
    if (config.access) checkAccess(this.#call, config.access);
    return config;
  }

  /**
   * Makes sure that the configuration, which has been read, allows the stream keys that a parameter stands for.
   *
   * @param pointer the parameter, `/stream`
   * @throws {ConnectorError} 403 where its `access` does not
   */
  checkKeys(pointer: string, keys: readonly string[]): void {
    if (this.#access) checkKeys(this.#call, this.#access, pointer, keys);
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
