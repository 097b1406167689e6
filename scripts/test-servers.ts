import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { oneOf, readArguments } from './arguments.ts';
import { ensureLocalBundles } from './build/bundles.ts';

/*
 * npm run prove -- servers [<folder of servers> --only <server>]: runs the stream, redis and consumer suites on each
 * supported server, and writes the table of docs/redis.md. Unpacks missing servers from Debian's packages.
 */

/** Each server, and its folder; the first is the one on the PATH. */
const SERVERS = [
  ['Redis 7.0', undefined],
  ['Redis 8.0', 'redis-8.0'],
  ['Redis 8.6', 'redis-8.6'],
  ['Valkey 8.1', 'valkey-8.1'],
  ['Valkey 9.1', 'valkey-9.1'],
] as const;
/** Excluded tests: the page of examples shows Redis 7.0; memory and load do not depend on the server. */
const SUITES = [
  'test/integration/(stream/(?!x-memory)|redis/(?!callers)|consumer/(?!memory)|scripts/generated-client)',
];
const PAGE = 'docs/redis.md';
const TABLE = /(<!-- servers: npm run prove -- servers -->\n)[\s\S]*?(<!-- \/servers -->)/;

/** Optional capabilities, and a command that shows each. */
const CAPABILITIES: readonly [name: string, words: string][] = [
  ['XDELEX, XACKDEL', 'XDELEX s IDS 1 1-0'],
  ['claimMinIdleMs', 'XREADGROUP GROUP g c CLAIM 1 STREAMS s >'],
  ['idempotency', 'XADD s IDMP p i * a 1'],
];

const { positionals, values } = readArguments({
  command: 'npm run prove -- servers',
  about: 'Runs the stream, redis and consumer suites on each supported server, and writes the table of docs/redis.md.',
  takes: '[<folder of servers>]',
  positionals: 1,
  options: { only: { type: 'string', value: '<server>', about: 'only this server; the other rows stay' } },
  examples: [
    'npm run prove -- servers',
    'npm run prove -- servers .servers',
    'npm run prove -- servers --only "Valkey 9.1"',
  ],
  notes: "Missing servers are unpacked from Debian's packages.",
});
const folder = resolve(positionals[0] ?? '.servers');
const names = SERVERS.map(([name]) => name);
const only = values.only === undefined ? undefined : oneOf('only', values.only, names);
const chosen = SERVERS.filter(([name]) => only === undefined || name === only);
ensureLocalBundles();
if (chosen.some(([, name]) => name && !existsSync(`${folder}/${name}/bin/redis-server`))) {
  execFileSync('scripts/redis-servers.sh', [folder], { stdio: 'inherit' });
}
mkdirSync(folder, { recursive: true });
const rows = chosen.map(([name, path]) => testServer(name, path ? `${folder}/${path}/bin:` : ''));
const page = readFileSync(PAGE, 'utf8');
const table = tableOf(rows, page);
writeFileSync(
  PAGE,
  page.replace(TABLE, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`),
);
console.log(table);
process.exitCode = rows.every(([, , , failed]) => failed === '0') ? 0 : 1;

/** The table with these rows; the rows of other servers stay. */
function tableOf(tested: string[][], before: string): string {
  const rowOf = (name: string) => new RegExp(`^\\| ${name} .*$`, 'm').exec(before)?.[0];
  const head = ['server', 'version', 'tests passed', 'failed', ...CAPABILITIES.map(([what]) => what)];
  const write = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const body = SERVERS.map(([name]) => {
    const row = tested.find(([server]) => server === name);
    return row ? write(row) : rowOf(name);
  });
  return [write(head), write(head.map(() => '---')), ...body].filter(Boolean).join('\n');
}

function testServer(name: string, path: string): string[] {
  const env = { ...process.env, PATH: path + process.env.PATH };
  const version = /v=([\d.]+)/.exec(execFileSync('redis-server', ['--version'], { env, encoding: 'utf8' }))?.[1] ?? '?';
  const report = `${folder}/report.json`;
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--json', `--outputFile=${report}`];
  spawnSync('node', [...jest, '--maxWorkers=1', ...SUITES], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as Record<string, number>;
  return [name, version, ...[numPassedTests, numFailedTests! + numRuntimeErrorTestSuites!].map(String), ...probe(env)];
}

/** Tries each capability on a server. */
function probe(env: NodeJS.ProcessEnv): string[] {
  const tries = CAPABILITIES.map(
    ([, words]) => `redis-cli -s /tmp/probe-$$.sock ${words.replace(/[*>]/g, "'$&'")} 2>&1 | tr '\\n' ' '; echo`,
  );
  const script = `redis-server --port 0 --unixsocket /tmp/probe-$$.sock --daemonize yes --save '' >/dev/null
    for _ in 1 2 3 4 5 6 7 8 9; do redis-cli -s /tmp/probe-$$.sock PING >/dev/null 2>&1 && break; sleep 0.2; done
    redis-cli -s /tmp/probe-$$.sock XGROUP CREATE s g 0 MKSTREAM >/dev/null
    ${tries.join('\n')}
    redis-cli -s /tmp/probe-$$.sock SHUTDOWN NOSAVE >/dev/null 2>&1 || true`;
  const replies = execFileSync('bash', ['-c', script], { env, encoding: 'utf8' }).split('\n');
  return CAPABILITIES.map((_, at) =>
    /unknown command|syntax error|Invalid stream ID/.test(replies[at]!) ? '–' : 'yes',
  );
}
