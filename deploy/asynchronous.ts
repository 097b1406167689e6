import { isIdempotent } from '#lib/core/idempotence.ts';
import type { DeployedFunction } from '#scripts/build/functions.ts';
import { CONSUMER } from './operations.ts';
import type { Deployment } from './parameters.ts';
import { deadLetterQueueArn, MOST_LATE_SECONDS, schedulesOf } from './schedules.ts';

/** How Lambda treats asynchronous invocations of a function: those of schedules, of the wake, of other services. */
export interface Asynchronous {
  /** Attempts after the first. Default: Lambda's own, two. */
  readonly retries?: number;
  /** How long an invocation may wait. Default: Lambda's own, six hours. */
  readonly seconds?: number;
  /** ARN that gets invocations that failed for good, and the right to send them. */
  readonly failures?: { readonly arn: unknown; readonly right: string };
}

/** Lambda waits a minute before the first retry, and two before the second. */
const MOST_LATE_OF_FURTHER_SECONDS = 3600;
const RETRIES = 2;
/** What a function needs to send to a destination, by its service. */
const RIGHTS = {
  sqs: 'sqs:SendMessage',
  sns: 'sns:Publish',
  lambda: 'lambda:InvokeFunction',
  events: 'events:PutEvents',
} as const;

/**
 * Lambda retries only what may be carried out twice. The consumer and the checks have no retries, because their next
 * schedule is one. Invocations of a function with further schedules that fail for good go to the schedules' dead-letter
 * queue, others to `asyncFailureArn`.
 */
export function asynchronousOf({ name, operation }: DeployedFunction, deployment: Deployment): Asynchronous {
  const { asyncFailureArn } = deployment;
  if (!operation) return {};
  const further = deployment.schedules.filter((schedule) => schedule.operation === name);
  const ofArn = asyncFailureArn === undefined ? undefined : destinationOf(asyncFailureArn);
  const ofQueue = { arn: deadLetterQueueArn, right: RIGHTS.sqs };
  const isScheduled = schedulesOf(deployment).some((schedule) => schedule.name === name);
  if (isScheduled && (further.length === 0 || name === CONSUMER)) {
    return { retries: 0, seconds: MOST_LATE_SECONDS, ...(further.length > 0 && { failures: ofQueue }) };
  }
  if (further.length > 0) {
    const isHarmless = further.every(({ input }) => isIdempotent(operation.idempotent, input));
    return {
      retries: isHarmless ? RETRIES : 0,
      seconds: MOST_LATE_OF_FURTHER_SECONDS,
      failures: ofQueue,
    };
  }
  return { ...(operation.idempotent !== true && { retries: 0 }), failures: ofArn };
}

function destinationOf(arn: string): Asynchronous['failures'] {
  return { arn, right: RIGHTS[arn.split(':')[2] as keyof typeof RIGHTS] };
}
