import { describe, expect, it } from '@jest/globals';
import { ConnectorError, type ErrorOptions, type ErrorType } from '#lib/core/errors.ts';
import { delayAfter } from '#lib/consumer/window/pending-entry.ts';
import { deadLetterStreamOf, fenceKeyOf, leaseKeyOf } from '#lib/consumer/redis-keys.ts';
import { classify, TargetFailure, type FailureKind } from '#lib/consumer/targets/failure.ts';
import { slotOf } from '#lib/redis/slot.ts';

it('a long error type is cut to 256 characters', () => {
  const failure = classify(new TargetFailure('own', 'x'.repeat(2 ** 20), 'The function failed'));

  expect(failure.type).toHaveLength(256);
});

describe('a failure', () => {
  const answered = (upstreamStatus: number) =>
    new ConnectorError(upstreamStatus < 500 ? 'MDM:CLIENT_ERROR' : 'MDM:SERVER_ERROR', 'message', { upstreamStatus });

  it.each([400, 410, 413, 415, 422, 425, 451])("a failure with status %i is the entry's fault", (status) => {
    expect(classify(answered(status)).kind).toBe('permanent');
  });

  it.each([403, 404, 405])('a failure with status %i is a refusal, whoever is at fault', (status) => {
    expect(classify(answered(status)).kind).toBe('refusal');
  });

  it.each([409, 500, 501, 505, 507, 599])('a failure with status %i counts towards maxDeliveries', (status) => {
    expect(classify(answered(status)).kind).toBe('own');
  });

  it.each([401, 408, 429, 502, 503, 504])('a failure with status %i is an outage', (status) => {
    expect(classify(answered(status)).kind).toBe('outage');
  });

  it.each<[string, ErrorType, ErrorOptions, FailureKind]>([
    ['an entry that is no record', 'MDM:CLIENT_ERROR', { status: 400 }, 'invalid'],
    ['a refused login', 'MDM:CLIENT_ERROR', { status: 502, upstreamStatus: 403 }, 'outage'],
    ['a timeout', 'MDM:TIMEOUT', {}, 'outage'],
    ['a connection fault', 'MDM:CONNECTIVITY', {}, 'outage'],
    ['a secret that does not fit', 'CONNECTOR:CONFIGURATION', {}, 'outage'],
    ['a success that is not JSON', 'MDM:SERVER_ERROR', { upstreamStatus: 200 }, 'own'],
  ])('a failure caused by %s is classified by its cause', (_, type, options, kind) => {
    expect(classify(new ConnectorError(type, 'message', options)).kind).toBe(kind);
  });

  it('a 429 throttles all calls, other outages only those of their key', () => {
    const throttling = [401, 408, 429, 502, 503, 504].filter((status) => classify(answered(status)).isThrottle);

    expect(throttling).toEqual([429]);
  });

  it.each([true, false, undefined])('a failure that a target classified as a throttle (%s) stays so', (isThrottle) => {
    const failure = classify(new TargetFailure('outage', 'LAMBDA:TooManyRequestsException', 'message', { isThrottle }));

    expect(failure.isThrottle).toBe(isThrottle === true);
  });

  it("an unclassified error counts as the entry's failure, without its message", () => {
    expect(classify(new RangeError('record 4711'))).toEqual({
      kind: 'own',
      type: 'CONNECTOR:INTERNAL',
      message: 'The target failed: RangeError',
    });
  });
});

describe('back-off', () => {
  it('back-off doubles with each delivery, up to a minute', () => {
    const delays = [0, 1, 2, 3, 7, 8, 1000].map((deliveries) => delayAfter(deliveries, 1000));

    expect(delays).toEqual([0, 1000, 2000, 4000, 60_000, 60_000, 60_000]);
  });

  it('back-off is never shorter than the first rest', () => {
    expect(delayAfter(5, 120_000)).toBe(120_000);
  });
});

describe('the keys of a group', () => {
  it.each(['orders', 'orders:0', '{orders}:0', 'a{b', 'a}b{c}'])("a group's keys are in the slot of %s", (stream) => {
    for (const key of [deadLetterStreamOf(stream, 'g'), leaseKeyOf(stream, 'g'), fenceKeyOf(stream, 'g', 't')]) {
      expect(slotOf(key)).toBe(slotOf(stream));
    }
  });

  it("a group's keys put a plain stream name in braces, and keep a name's own hash tag", () => {
    expect(deadLetterStreamOf('orders:0', 'mdm')).toBe('{orders:0}:dead:mdm');
    expect(deadLetterStreamOf('{orders}:0', 'mdm')).toBe('{orders}:0:dead:mdm');
  });
});
