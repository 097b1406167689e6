import type { Context } from 'aws-lambda';
import { rootLog } from './config.ts';
import { Deadline } from '../core/deadline.ts';
import type { Log } from '../core/log.ts';
import type { Connector } from '../contract/connector.ts';
import type { Operation } from '../contract/operation.ts';
import { FailureCounts } from './failure-metrics.ts';
import { Output, type Travel } from './output.ts';

/** What an operation knows of the call it serves. */
export interface Invocation {
  /** Name of the operation, `stream-xadd`. */
  readonly operation: string;
  /** Connector whose error type reports invalid input. */
  readonly connector: Connector;
  /** Which connector configuration the caller chose. */
  readonly configRef: string;
  /** Lambda's request id, also in every problem and log line. */
  readonly requestId: string;
  /** Memory of the function, in MB. */
  readonly memoryMb: number;
  /** When the work must have ended. */
  readonly deadline: Deadline;
  /** Failed calls that the operation goes on after; alarms watch them as they watch failed invocations. */
  readonly failures: FailureCounts;
  /** Log bound to the request id. */
  readonly log: Log;
  /** For an output that is written in parts. */
  readonly output: Output;
}

/** Time of an invocation whose context does not report it, in milliseconds. */
const DEFAULT_REMAINING_MS = 29_000;

/** Memory of a function whose context does not report it: what functions are deployed with by default. */
const DEFAULT_MEMORY_MB = 512;

export function createInvocation(
  operation: Operation,
  configRef: string,
  context: Context,
  travel: () => Travel,
): Invocation {
  const requestId = context.awsRequestId;
  let log: Log | undefined;
  let output: Output | undefined;
  return {
    operation: operation.name,
    connector: operation.connector,
    configRef,
    requestId,
    memoryMb: Number(context.memoryLimitInMB) || DEFAULT_MEMORY_MB,
    deadline: Deadline.ofInvocation(context.getRemainingTimeInMillis?.() ?? DEFAULT_REMAINING_MS),
    failures: new FailureCounts(),
    get log() {
      return (log ??= rootLog().with({ requestId, operation: operation.name })); // most calls write no line
    },
    get output() {
      return (output ??= new Output(travel())); // only large reads write theirs in parts
    },
  };
}
