import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { oneOf, readArguments, ScriptError, wholeNumber } from '#scripts/arguments.ts';
import { ensureInstalled, findProgram, REDIS } from '#scripts/check/ensure-installed.ts';
import { ensureLocalBundles } from '#scripts/build/bundles.ts';

/*
 * npm run prove -- interop [<part> --examples 200 --seed random]: runs the bundle against software of others. Installs
 * their pinned versions below .build/interop/, and closes with the count of tests.
 */

const FOLDER = '.build/interop';
const HERE = 'test/interop';
/** The parts, in order: what sends samples and generated inputs comes last: a sample pauses the consumer. */
const PARTS = [
  'template',
  'cloudformation',
  'roles',
  'secrets',
  'requests',
  'traces',
  'clients',
  'producer',
  'generated',
  'events',
  'openapi',
];
/** Takes as long as all others, beside which it runs. */
const LONGEST = 'openapi';
/** The parts of --quick, which needs neither checkov nor Java. */
const QUICK_PARTS = PARTS.filter((part) => part !== 'template');
const QUICK_EXAMPLES = 2;
const JAVA_RELEASE = 17;
const UV = 'uv==0.13.9';
/** Of --optional: how long packages may take to install, and the tests to run. */
const INSTALL_MS = 90_000;
const TESTS_MS = 210_000;

const { positionals, values } = readArguments({
  command: 'npm run prove -- interop',
  about: 'Runs the functions, their template and the local stack against software of others, and counts its tests.',
  takes: '[<part>]',
  positionals: 1,
  options: {
    examples: {
      type: 'string',
      value: '<n>',
      about: `generated inputs an operation, in the part openapi; default: 200, ${QUICK_EXAMPLES} with --quick`,
    },
    seed: {
      type: 'string',
      default: '1',
      value: '<n>',
      about: 'of the generated inputs; `random` for another each time',
    },
    quick: {
      type: 'boolean',
      about: 'one parameter set, few generated inputs, no deployment, without checkov and Java',
    },
    optional: {
      type: 'boolean',
      about: 'where Python or PyPI cannot be had, or takes too long, say so and end with 0',
    },
  },
  examples: [
    'npm run prove -- interop',
    'npm run prove -- interop clients',
    'npm run prove -- interop openapi --seed random',
    'npm run prove -- interop --quick --optional',
  ],
  notes: `Parts: ${PARTS.join(', ')}`,
});
const { quick: isQuick = false, optional: isOptional = false } = values;
const all = isQuick ? QUICK_PARTS : PARTS;
const parts = positionals[0] === undefined ? all : [oneOf('a part', positionals[0], all)];
const seed =
  values.seed === 'random'
    ? Math.trunc(Math.random() * 2 ** 31)
    : wholeNumber('seed', values.seed, { min: 0, max: 2 ** 31 });
const examples = wholeNumber('examples', values.examples ?? (isQuick ? String(QUICK_EXAMPLES) : '200'), {
  max: 100_000,
});

const startedAt = performance.now();
ensureInstalled(REDIS);
const python = findPython() ?? giveUp('there is no Python 3.11 or newer');
const main = environmentOf('requirements.txt');
const checkov = parts.includes('template') ? environmentOf('requirements-checkov.txt') : undefined;
if (parts.includes('clients') && !isQuick) installLettuce();
ensureLocalBundles();
console.log(`Ready after ${seconds()} s; generated inputs: ${examples} an operation, seed ${seed}`);

const options = ['-q', '-p', 'no:cacheprovider', '-p', 'no:logging', '--tb', 'short', '-rs', '--durations', '10'];
const env = {
  ...process.env,
  PYTHONDONTWRITEBYTECODE: '1',
  INTEROP_SEED: String(seed),
  INTEROP_EXAMPLES: String(examples),
  ...(isQuick && { INTEROP_QUICK: '1' }),
  ...(checkov !== undefined && { INTEROP_CHECKOV: `${checkov}/bin/checkov` }),
};
/** Of pytest: an interruption, without a failure before it. */
const INTERRUPTED = 2;
let isStopped = false;
const halves = [parts.filter((part) => part !== LONGEST), parts.filter((part) => part === LONGEST)];
const runs = halves.filter((half) => half.length > 0).map(startTests);
const stop = () => {
  isStopped = true;
  console.log(`Stopped after ${seconds()} s: this machine is slow or busy`);
  for (const { tests } of runs) tests.kill('SIGINT'); // pytest ends what it started, and counts
};
const timer = isOptional ? setTimeout(stop, TESTS_MS) : undefined;
const counts: Count[] = [];
for (const run of runs) counts.push(await endOf(run));
clearTimeout(timer);
const sum = (outcome: keyof Count) => counts.reduce((total, count) => total + count[outcome], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);

interface Run {
  readonly tests: ChildProcess;
  readonly output: Promise<string>;
  readonly ended: Promise<unknown>;
  /** The file that has its count. */
  readonly countFile: string;
}

/** How tests ended. */
interface Count {
  readonly passed: number;
  readonly failed: number;
}

function startTests(half: readonly string[], at: number): Run {
  const countFile = `${FOLDER}/count-${at}.json`;
  rmSync(countFile, { force: true });
  const files = half.map((part) => `${HERE}/test_${part}.py`);
  const tests = spawn(`${main}/bin/python`, ['-m', 'pytest', ...options, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, INTEROP_COUNT: resolve(countFile) },
  });
  return { tests, output: text(tests.stdout), ended: once(tests, 'close'), countFile };
}

/** Prints what a run has to say when it ends, and notes in the exit code whether it failed. */
async function endOf({ tests, output, ended, countFile }: Run): Promise<Count> {
  process.stdout.write(await output);
  await ended;
  const { exitCode } = tests;
  if (exitCode !== 0 && !(isStopped && exitCode === INTERRUPTED)) process.exitCode = exitCode ?? 1;
  return existsSync(countFile) ? (JSON.parse(readFileSync(countFile, 'utf8')) as Count) : { passed: 0, failed: 1 };
}

function seconds(): number {
  return Math.round((performance.now() - startedAt) / 1000);
}

/** Ends the run, which counts nothing. */
function giveUp(reason: string): never {
  if (!isOptional) throw new ScriptError(`Not run: ${reason}`);
  console.log(`The tests against software of others did not run: ${reason}\n0 passed, 0 failed`);
  process.exit(0);
}

/** Python 3.11 or newer that can make virtual environments; on Debian and Ubuntu, as root, it is installed. */
function findPython(): string | undefined {
  const usable = () =>
    ['python3.11', 'python3'].find((name) => {
      const program = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
      return findProgram([name]) && spawnSync(name, ['-c', program]).status === 0;
    });
  if (!usable() && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    spawnSync('sh', ['-c', 'apt-get update -qq; apt-get install -y -qq --no-install-recommends python3-venv'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: limitOf(),
    });
  }
  return usable();
}

/**
 * A virtual environment with exactly these pins, made anew when they change. They include what packages need, so that
 * nothing is resolved; what only unused parts of a package need is left out.
 */
function environmentOf(pins: string): string {
  const hash = createHash('sha256')
    .update(readFileSync(`${HERE}/${pins}`))
    .digest('hex')
    .slice(0, 8);
  const folder = `${process.cwd()}/${FOLDER}/${pins.replace('.txt', '')}-${hash}`;
  const done = `${folder}/done`;
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true });
  console.log(`Installing ${HERE}/${pins}`);
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: limitOf() }).status === 0;
  const [bin, wanted] = [`${folder}/bin`, ['--quiet', '--no-deps', '-r', `${HERE}/${pins}`]];
  const pip = ['install', '--quiet', '--disable-pip-version-check'];
  const isInstalled =
    run(python, '-m', 'venv', folder) &&
    ((run(`${bin}/pip`, ...pip, UV) && run(`${bin}/uv`, 'pip', 'install', '--python', `${bin}/python`, ...wanted)) ||
      run(`${bin}/pip`, ...pip, ...wanted));
  if (!isInstalled) {
    rmSync(folder, { recursive: true, force: true });
    giveUp(`the packages of ${HERE}/${pins} could not be installed in ${seconds()} s`);
  }
  writeFileSync(done, '');
  return folder;
}

/** What is left of the time for installations; none of them ends at once. */
function limitOf(): number | undefined {
  return isOptional ? Math.max(1, Math.round(INSTALL_MS - (performance.now() - startedAt))) : undefined;
}

/** The jars of the Lettuce client. Without Java and Maven, its tests are skipped, and say so. */
function installLettuce(): void {
  const folder = `${process.cwd()}/${FOLDER}/lettuce`;
  if (existsSync(folder)) return;
  if (!findProgram(['mvn']) && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    const packages = `openjdk-${JAVA_RELEASE}-jdk-headless maven`;
    spawnSync('sh', ['-c', `apt-get update -qq; apt-get install -y -qq --no-install-recommends ${packages}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  mkdirSync(FOLDER, { recursive: true });
  const pom = ['-f', `${HERE}/lettuce/pom.xml`];
  const maven = ['-q', '-B', ...pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const { status } = spawnSync('mvn', maven, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) rmSync(folder, { recursive: true, force: true });
}
