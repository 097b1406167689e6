import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { oneOf, readArguments, ScriptError, wholeNumber } from '#scripts/arguments.ts';
import { ensureInstalled, findProgram } from '#scripts/check/ensure-installed.ts';
import { ensureLocalBundles } from '#scripts/build/bundles.ts';

/*
 * npm run test:interop [-- <part> --examples 200 --seed random]: runs the bundle against software of others. Installs their
 * pinned versions below .build/interop/, and closes with the count of tests.
 */

const FOLDER = '.build/interop';
const HERE = 'test/interop';
/** The parts, in order: what generates inputs comes last, because it leaves anything behind. */
const PARTS = ['template', 'cloudformation', 'secrets', 'events', 'clients', 'producer', 'generated', 'openapi'];
const JAVA_RELEASE = 17;

const { positionals, values } = readArguments({
  command: 'npm run test:interop',
  about: 'Runs the functions, their template and the local stack against software of others, and counts its tests.',
  takes: '[<part>]',
  positionals: 1,
  options: {
    examples: {
      type: 'string',
      default: '25',
      value: '<n>',
      about: 'generated inputs an operation, in the part openapi',
    },
    seed: {
      type: 'string',
      default: '1',
      value: '<n>',
      about: 'of the generated inputs; `random` for another each time',
    },
    optional: { type: 'boolean', about: 'where Python or PyPI cannot be had, say so and end with 0' },
  },
  examples: [
    'npm run test:interop',
    'npm run test:interop -- clients',
    'npm run test:interop -- openapi --seed random',
  ],
  notes: `Parts: ${PARTS.join(', ')}`,
});
const parts = positionals[0] === undefined ? PARTS : [oneOf('a part', positionals[0], PARTS)];
const seed =
  values.seed === 'random'
    ? Math.trunc(Math.random() * 2 ** 31)
    : wholeNumber('seed', values.seed, { min: 0, max: 2 ** 31 });
const examples = wholeNumber('examples', values.examples, { max: 100_000 });

ensureInstalled('redis-server');
const python = findPython();
const environments = python && installPackages(python);
if (!environments) {
  const missing = python ? 'the packages of test/interop could not be installed' : 'there is no Python 3.11 or newer';
  if (!values.optional) throw new ScriptError(`Not run: ${missing}`);
  console.log(`test:interop did not run: ${missing}\n0 passed, 0 failed`);
  process.exit(0);
}
if (parts.includes('clients')) installLettuce();
ensureLocalBundles();

const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'no:logging', '--tb', 'short', '-rs'];
const files = parts.map((part) => `${HERE}/test_${part}.py`).filter((file) => existsSync(file));
console.log(`Generated inputs: ${examples} an operation, seed ${seed}`);
const { status } = spawnSync(`${environments.main}/bin/python`, [...pytest, ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    INTEROP_SEED: String(seed),
    INTEROP_EXAMPLES: String(examples),
    INTEROP_CHECKOV: `${environments.checkov}/bin/checkov`,
  },
});
process.exitCode = status ?? 1;

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
    });
  }
  return usable();
}

/** The virtual environments, made anew when their pins change. */
function installPackages(program: string): Record<'main' | 'checkov', string> | undefined {
  const made = { main: environmentOf('requirements.txt'), checkov: environmentOf('requirements-checkov.txt') };
  return made.main && made.checkov ? { main: made.main, checkov: made.checkov } : undefined;

  function environmentOf(pins: string): string | undefined {
    const hash = createHash('sha256')
      .update(readFileSync(`${HERE}/${pins}`))
      .digest('hex')
      .slice(0, 8);
    const folder = `${process.cwd()}/${FOLDER}/${pins.replace('.txt', '')}-${hash}`;
    const done = `${folder}/done`;
    if (existsSync(done)) return folder;
    rmSync(folder, { recursive: true, force: true });
    console.log(`Installing ${HERE}/${pins}`);
    const pip = ['install', '--quiet', '--no-compile', '--disable-pip-version-check', '-r', `${HERE}/${pins}`];
    const installed =
      spawnSync(program, ['-m', 'venv', folder], { stdio: 'inherit' }).status === 0 &&
      spawnSync(`${folder}/bin/pip`, pip, { stdio: 'inherit' }).status === 0;
    if (!installed) return undefined;
    writeFileSync(done, '');
    return folder;
  }
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
  const maven = [
    '-q',
    '-B',
    '-f',
    `${HERE}/lettuce/pom.xml`,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${folder}`,
  ];
  const { status } = spawnSync('mvn', maven, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) rmSync(folder, { recursive: true, force: true });
}
