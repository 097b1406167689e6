import { expect, it } from '@jest/globals';
import { causesOf } from '#lib/core/errors.ts';

const refused = (address: string) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' });

it('names every cause of an error, the nearest first', () => {
  const reset = Object.assign(new TypeError('socket hang up'), { code: 'ECONNRESET', cause: new Error('inner') });

  expect(causesOf(new Error('outer', { cause: reset }))).toEqual([
    'TypeError: socket hang up (ECONNRESET)',
    'Error: inner',
  ]);
  expect(causesOf(new Error('outer'))).toEqual([]);
});

it('names the cause for each address of a host', () => {
  const cause = new AggregateError([refused('::1:6379'), refused('127.0.0.1:6379')]);

  expect(causesOf(new Error('outer', { cause }))).toEqual([
    'Error: connect ECONNREFUSED ::1:6379',
    'Error: connect ECONNREFUSED 127.0.0.1:6379',
  ]);
});
