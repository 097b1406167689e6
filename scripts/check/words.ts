import { globSync, readFileSync } from 'node:fs';

/*
 * npm run words: no private metaphors in code, tests and pages. The field has a word for each of these already.
 * Decision records and the changelog are history, and stay as they were written.
 */

/** What to write instead, by word; a capital letter means that spelling alone. */
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
    Means: 'context, or the name of what it holds',
    Shelf: 'cache',
    WALL: 'LIMIT',
    Ending: 'result, or stop reason',
  }),
);

const FILES = ['{docs,events,functions,lib,scripts,test}/**/*.*', '*.{md,js,cjs,json,yml}'];
const SKIPPED = ['docs/decisions/**', 'CHANGELOG.md', 'package-lock.json', 'scripts/check/words.ts', '**/*.{svg,png}'];
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** Lines of a text that use one of the words: `12: "deed", say "handler"`. */
export function findWords(text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    (line.match(WORD) ?? []).flatMap((word) => {
      const instead = INSTEAD.get(word) ?? INSTEAD.get(word.toLowerCase());
      return instead ? `${index + 1}: "${word}", say ${instead}` : [];
    }),
  );
}

if (import.meta.main) {
  const files = globSync(FILES, { exclude: SKIPPED }).sort();
  const found = files.flatMap((path) => findWords(readFileSync(path, 'utf8')).map((line) => `${path}:${line}`));
  if (found.length > 0) {
    console.error(found.join('\n'));
    process.exitCode = 1;
  }
}
