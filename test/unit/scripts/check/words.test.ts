import { expect, it } from '@jest/globals';
import { findWords } from '../../../../scripts/check/words.ts';

it('a private word is named by its line, in prose and in names', () => {
  expect(findWords('fine\nThe deed of an operation')).toEqual([
    '2: "deed", say handler, or the operation’s implementation',
  ]);
  expect(findWords('const TOLD_LINES = roomOf(x);')).toEqual([
    '1: "TOLD", say reported, or given',
    '1: "room", say folder, or operation',
  ]);
});

it('a word that only contains one, or only a common spelling, is none', () => {
  expect(findWords('history, mushroom, warehouse, this means, an ending, the 6 MB wall, constructor')).toEqual([]);
});

it('a name that is a metaphor is named, a common word in it is not', () => {
  expect(findWords('interface Means {} const MAX_WALL = isEnding;')).toEqual([
    '1: "Means", say what it holds',
    '1: "WALL", say what it holds',
  ]);
});

it('a count of operations by hand is named in a page', () => {
  expect(findWords('For the ten stream operations:', true)).toEqual([
    '1: "ten stream operations", say it without the count',
  ]);
  expect(findWords('takes 24 functions; 2 operations', true)).toEqual(['1: "24 functions", say it without the count']);
});
