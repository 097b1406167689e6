import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import { causesOf, type ConnectorError } from '../core/errors.ts';
import { isIdempotent } from '../core/idempotence.ts';
import { problemOf } from '../core/problem.ts';
import { directOutput, httpResponse, travelOf } from './response.ts';
import type { Operation, OutputOf, ParametersOf } from '../contract/operation.ts';
import { audit } from './audit.ts';
import { problemResponse, failedInvocation, mapError } from './problem.ts';
import { type Call, checkParameters, isHttpEvent, readBody } from './request.ts';
import { noteProblem, withOperationSpan, type OperationKind } from './span.ts';
import { traceOf } from './trace.ts';
import { withTrace } from '../core/trace.ts';
import { Invocation } from '../invocation/invocation.ts';
import { rootLog } from '../config/config.ts';
import { FailureCounts } from '../invocation/failure-metrics.ts';
import type { WrittenOutput } from '../invocation/output.ts';

/** An operation's implementation: takes valid parameters and its connections, and returns the result. */
export type Implementation<Op extends Operation, Access> = (
  parameters: ParametersOf<Op>,
  access: Access,
  invocation: Invocation,
) => Promise<OutputOf<Op> | WrittenOutput<OutputOf<Op>>> | OutputOf<Op>;

/** Opens the connection that `run` needs: a Redis connection or an MDM client. */
export type Open<Access> = (invocation: Invocation) => Promise<Access> | Access;

/** A Lambda handler. */
export type Handler = (event: unknown, context: Context) => Promise<unknown>;

interface Internal extends Record<string, unknown> {
  http?: Call['http'];
}

type Middleware = MiddlewareObj<unknown, unknown, Error, Context, Internal>;

/**
 * Makes the Lambda handler of an operation. All ways in (HTTP, direct, schedule), validation and error mapping meet
 * here.
 *
 * @example
 * export const handler = endpoint(xack, openRedis, run);
 */
export function endpoint<Op extends Operation, Access>(
  operation: Op,
  open: Open<Access>,
  run: Implementation<Op, Access>,
  kind: OperationKind = 'SERVER',
): Handler {
  const invoke = async (event: unknown, context: Context): Promise<unknown> => {
    const { parameters, http } = event as Call; // what waysIn made of it
    const invocation = new Invocation(operation, parameters, context, () => travelOf(http));
    try {
      const opened = open(invocation);
      const access = opened instanceof Promise ? await opened : opened; // a warm call need not wait
      return await run(parameters as ParametersOf<Op>, access, invocation);
    } finally {
      invocation.end();
    }
  };
  // Every step keeps its own deadline. onError goes upwards: the audit sees the error as it was thrown, then it is
  // mapped and logged, then written in the form of the way in.
  const handler: Handler = middy<unknown, unknown, Error, Context, Internal>({ timeoutEarlyInMillis: 0 })
    .use(waysIn(operation))
    .use(errorMapping(operation))
    .use(validation(operation))
    .use(audit(operation))
    .handler(invoke);
  return (event, context) =>
    withTrace(
      () => traceOf(event, context),
      () => withOperationSpan(operation, kind, { event, context }, () => handler(event, context)),
    );
}

/** Reads the parameters from the event, and writes output and errors in the form of the way in. */
function waysIn(operation: Operation): Middleware {
  return {
    before(request) {
      const { event } = request;
      const http = isHttpEvent(event) ? event : undefined;
      request.internal.http = http; // needed for errors too
      request.event = { parameters: http ? readBody(operation, http) : event, http };
    },
    after(request) {
      const { http } = request.internal;
      request.response = http
        ? httpResponse(operation, http, request.response)
        : directOutput(operation, request.response);
    },
    onError(request) {
      const mayRepeat = isIdempotent(operation.idempotent, (request.event as Partial<Call>).parameters);
      const problem = problemOf(request.error as ConnectorError, request.context.awsRequestId, mayRepeat);
      if (request.internal.http) {
        request.response = problemResponse(problem);
        noteProblem(problem);
      } else request.error = failedInvocation(problem);
    },
  };
}

function validation(operation: Operation): Middleware {
  return { before: ({ event }) => checkParameters(operation, (event as Call).parameters) };
}

function errorMapping(operation: Operation): Middleware {
  return {
    onError(request) {
      const error = mapError(request.error);
      const { type, status, outcome, upstreamStatus, upstreamCode, upstreamRequestId } = error;
      const causes = causesOf(error);
      const details = { requestId: request.context.awsRequestId, operation: operation.name, type, status, outcome };
      if (type === 'CONNECTOR:INTERNAL') rootLog().error('failed', { ...details, error: error.cause });
      else
        rootLog().warn(status < 500 ? 'refused' : 'failed', {
          ...details,
          upstreamStatus,
          upstreamCode,
          upstreamRequestId,
          detail: error.message,
          hint: error.hint,
          causes: causes.length > 0 ? causes : undefined,
        });
      new FailureCounts().add(error).write(rootLog(), request.context.functionName, operation.name);
      request.error = error;
    },
  };
}
