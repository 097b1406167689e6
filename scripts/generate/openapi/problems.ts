import { ErrorReply } from 'redis';
import { Headers } from 'node-fetch';
import { forbid, refuse, tooLarge } from '#lib/contract/refusals.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { validate } from '#lib/contract/validation.ts';
import { configurationError, ConnectorError } from '#lib/core/errors.ts';
import { isIdempotent } from '#lib/core/idempotence.ts';
import { orderedObject } from '#lib/core/json.ts';
import { problemOf, type Problem } from '#lib/core/problem.ts';
import { mapError } from '#lib/endpoint/problem.ts';
import { errorOf, loginRefused } from '#lib/mdm/exchange/errors.ts';
import { mapRedisError } from '#lib/redis/errors.ts';
import { lateReply } from '#lib/redis/unreached.ts';

/** Lambda's request id of the examples. */
const REQUEST_ID = '4a2f7c0e-0d52-4f6a-9c3e-0c1d4f6f9b11';

const mdm = (status: number, body: object, headers: Record<string, string> = {}) =>
  errorOf(
    {
      status,
      reason: '',
      body: Buffer.from(JSON.stringify(body)),
      headers: new Headers({ 'infa-request-id': 'req-17', ...headers }),
    },
    { values: [] },
  );
/** The server of the examples. */
const CACHE = { host: 'cache.example', port: 6379, isTls: true, isOpen: true };
const redis = (reply: string) => mapRedisError(new ErrorReply(reply));

/** Errors made by the connectors, one for each type and status. */
const MDM_ERRORS = [
  mdm(403, { errorCode: 'FORBIDDEN', errorSummary: 'The user may not read this business entity' }),
  mdm(404, { errorCode: 'NOT_FOUND', errorSummary: 'Record not found' }),
  mdm(409, { errorCode: 'CONFLICT', errorSummary: 'The record was changed meanwhile' }),
  mdm(422, { errorCode: 'UNPROCESSABLE', errorSummary: 'The record does not pass validation' }),
  mdm(429, { errorCode: 'TOO_MANY_REQUESTS', errorSummary: 'Too many requests' }, { 'retry-after': '2' }),
  loginRefused({ upstreamStatus: 401 }),
  mdm(500, { errorCode: 'INTERNAL', errorSummary: 'Internal error' }),
  new ConnectorError('MDM:TIMEOUT', 'The master data API did not answer in time'),
  new ConnectorError('MDM:CONNECTIVITY', 'The connection to the master data API failed (ECONNRESET)', {
    upstreamCode: 'ECONNRESET',
  }),
];
const REDIS_ERRORS = [
  redis('WRONGTYPE Operation against a key holding the wrong kind of value'),
  redis("NOGROUP No such key 'orders' or consumer group 'billing'"),
  redis('BUSYGROUP Consumer Group name already exists'),
  redis("CROSSSLOT Keys in request don't hash to the same slot"),
  redis("OOM command not allowed when used memory > 'maxmemory'."),
  redis('WRONGPASS invalid username-password pair or user is disabled.'),
  mapRedisError(Object.assign(new Error(), { code: 'ECONNREFUSED' }), { peer: CACHE, outcome: 'not-sent' }),
  lateReply(CACHE, true, 'unknown'),
];
const COMMON_ERRORS = [
  configurationError('The secret of configRef default', [{ pointer: '/redis/url', message: 'is required' }]),
  mapError(new Error()),
];

/** The problems that an operation can raise: one for each type and status. */
export function problemsOf(operation: Operation): Problem[] {
  const { connector, errors, narrowWith, idempotent, example } = operation;
  const types = new Set<string>([...errors, refuse(connector, []).type]);
  const ofOwn = connector === 'stream' ? [notAllowed(operation)] : []; // MDM operations show the API's own 403
  const made = [
    refusalOf(operation),
    ...ofOwn,
    ...MDM_ERRORS,
    ...REDIS_ERRORS,
    ...(narrowWith ? [tooLarge(connector, narrowWith)] : []),
  ];
  const possible = [...made.filter(({ type }) => types.has(type)), ...COMMON_ERRORS];
  const mayRepeat = isIdempotent(idempotent, example.input);
  return possible.map((error) => JSON.parse(JSON.stringify(problemOf(error, REQUEST_ID, mayRepeat))) as Problem);
}

/** The validator's error for the example with an unknown parameter. */
function refusalOf({ connector, input, example }: Operation): ConnectorError {
  const parameters = orderedObject([...Object.entries(structuredClone(example.input)), ['noSuchThing', 1]]);
  return refuse(connector, validate(input, parameters));
}

/** The error for a call that `access` does not allow. */
function notAllowed({ connector, name }: Operation): ConnectorError {
  return forbid(connector, [{ pointer: '', message: `is refused: configRef audit does not allow ${name}` }]);
}
