import type { Context } from 'aws-lambda';
import { checkAccess, checkKeys, type AccessCall } from './access.ts';
import { knownConfig, readConfig, rootLog } from '../config/config.ts';
import type { AccessConfig, ConnectorSecret } from '../config/config.schema.ts';
import { Deadline } from '../core/deadline.ts';
import type { Log } from '../core/log.ts';
import type { Connector, Operation } from '../contract/operation.ts';
import { isIdempotent } from '../core/idempotence.ts';
import { FailureCounts } from './failure-metrics.ts';
import { Output, type Travel } from './output.ts';

/** Time of an invocation whose context does not report it, in milliseconds. */
const DEFAULT_REMAINING_MS = 29_000;

/** Memory of a function whose context does not report it: the default of deployments. */
const DEFAULT_MEMORY_MB = 512;

/** The call that an operation serves. Rarely used members are made on first use. */
export class Invocation {
  /** Name of the operation, `stream-xadd`. */
  readonly operation: string;
  /** Connector of the operation, which decides its error types. */
  readonly connector: Connector;
  /** The connector configuration that the caller chose. */
  readonly configRef: string;
  /** When the work must end. */
  readonly deadline: Deadline;
  readonly #call: AccessCall;
  #access: AccessConfig | undefined;
  readonly #context: Context;
  readonly #travel: () => Travel;
  #failures: FailureCounts | undefined;
  #log: Log | undefined;
  #output: Output | undefined;

  /** @param parameters valid parameters of the operation */
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
   * The connector configuration of the call, without a promise if it is cached. A call reads it only here, so that
   * nothing is sent that its `access` does not allow.
   *
   * @throws {ConnectorError} 403 if `access` does not allow the call, and the errors of `readConfig`
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
   * Checks that the configuration, already read, allows the stream keys of a parameter.
   *
   * @param pointer the parameter, `/stream`
   * @throws {ConnectorError} 403 if its `access` does not
   */
  checkKeys(pointer: string, keys: readonly string[]): void {
    if (this.#access) checkKeys(this.#call, this.#access, pointer, keys);
  }

  /** Whether this call may be carried out twice, by the contract of its operation. */
  get isIdempotent(): boolean {
    const { operation, parameters } = this.#call;
    return isIdempotent(operation.idempotent, parameters);
  }

  /** Lambda's request id, also in every problem and log line. */
  get requestId(): string {
    return this.#context.awsRequestId;
  }

  /** Memory of the function, in MB. */
  get memoryMb(): number {
    return Number(this.#context.memoryLimitInMB) || DEFAULT_MEMORY_MB;
  }

  /** Failed calls that do not fail the operation. Alarms watch them like failed invocations. */
  get failures(): FailureCounts {
    return (this.#failures ??= new FailureCounts());
  }

  /** Log with the request id. */
  get log(): Log {
    return (this.#log ??= rootLog().with({ requestId: this.requestId, operation: this.operation }));
  }

  /** Whether the call came over HTTP, and not directly or by a schedule. */
  get isHttp(): boolean {
    return this.#travel() !== 'json';
  }

  /** For an output written in parts. */
  get output(): Output {
    return (this.#output ??= new Output(this.#travel()));
  }

  /** Writes the metrics of its failures, even if it succeeded. */
  end(): void {
    this.#failures?.write(rootLog(), this.#context.functionName, this.operation);
  }
}
