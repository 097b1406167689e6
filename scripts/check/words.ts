import { globSync, readFileSync } from 'node:fs';
import { readArguments } from '../arguments.ts';

/*
 * npm run words: no private metaphors in code, tests and pages, for which the field has words already, and in pages no
 * counts of operations. Decision records and the changelog are history, and stay as they were written.
 */

/** What to write instead, by word. */
const INSTEAD = new Map(
  Object.entries({
    room: 'folder, or operation',
    rooms: 'folders, or operations',
    house: 'connector, or project',
    deed: 'handler, or the operation’s implementation',
    deeds: 'handlers',
    tell: 'report, say, or distinguish',
    tells: 'reports, says, or describes',
    told: 'reported, or given',
    telling: 'reporting',
    untold: 'default, or not reported',
    story: 'description',
  }),
);
/** Names that are common words in lower case. */
const NAMES = /(?<![A-Za-z])(?:Means|Shelf|WALL|Ending)(?![a-z])/g;

const FILES = ['{docs,events,functions,lib,scripts,test}/**/*.*', '*.{md,js,cjs,json,yml}'];
const SKIPPED = [
  'docs/decisions/**',
  'docs/releases/**',
  'CHANGELOG.md',
  'package-lock.json',
  'scripts/check/words.ts',
  'test/unit/scripts/check/words.test.ts',
  '**/*.{svg,png}',
];
/** A number that becomes false with the next operation. */
const COUNT =
  /\b(?:[3-9]|\d\d|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty) (?:[a-z]+ )?(?:operations|commands|functions|contracts)\b/gi;
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** Words of a text that have a better one, a line each: `12: "deed", say handler`. */
export function findWords(text: string, isPage = false): string[] {
  return text.split('\n').flatMap((line, index) => {
    const words = (line.match(WORD) ?? []).flatMap((word) => {
      const instead = INSTEAD.get(word.toLowerCase());
      return instead ? `${index + 1}: "${word}", say ${instead}` : [];
    });
    return [
      ...words,
      ...(line.match(NAMES) ?? []).map((name) => `${index + 1}: "${name}", say what it holds`),
      ...((isPage && line.match(COUNT)) || []).map((words) => `${index + 1}: "${words}", say it without the count`),
    ];
  });
}

if (import.meta.main) {
  readArguments({
    command: 'npm run words',
    about: 'Checks sources and pages for words that have a better one.',
    examples: ['npm run words'],
  });
  const files = globSync(FILES, { exclude: SKIPPED }).sort();
  const found = files.flatMap((path) =>
    findWords(readFileSync(path, 'utf8'), path.endsWith('.md')).map((line) => `${path}:${line}`),
  );
  if (found.length > 0) {
    console.error(found.join('\n'));
    process.exitCode = 1;
  }
}
