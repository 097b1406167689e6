import { spawnSync } from 'node:child_process';
import { PROOFS } from './check/proofs.ts';

/*
 * npm run prove -- <proof> [<its options>]: what takes longer than `npm test` may, or needs more than this machine has.
 */

const EXAMPLES = ['  npm run prove -- faults --worlds 2000', '  npm run prove -- bench --help'];

const [name = '--help', ...rest] = process.argv.slice(2);
const proof = PROOFS[name];
if (!proof) {
  const width = Math.max(...Object.keys(PROOFS).map(({ length }) => length));
  const rows = Object.entries(PROOFS).map(([one, { about }]) => `  ${one.padEnd(width)}  ${about}`);
  const usage = ['npm run prove -- <proof> [<its options>]', '', ...rows, '', 'Examples:', ...EXAMPLES].join('\n');
  const isAsked = name === '--help' || name === '-h';
  if (isAsked) console.log(usage);
  else console.error(`There is no proof ${name}.\n\n${usage}`);
  process.exit(isAsked ? 0 : 1);
}
const words = rest.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`));
const { status } = spawnSync([proof.command, ...words].join(' '), {
  shell: true,
  stdio: 'inherit',
  env: { ...proof.env, ...process.env },
});
process.exit(status ?? 1);
