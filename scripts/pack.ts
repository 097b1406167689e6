import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { readArguments } from './arguments.ts';
import { ROOT } from './build/root.ts';
import { TSC } from './build/tsc.ts';

/*
 * npm run pack: compiles the client and the CDK construct, and packs them as a separate package. The project itself is
 * private: its manifest names the functions' dependencies, and neither needs any of them.
 */

const { values } = readArguments({
  command: 'npm run pack',
  about: 'Packs the client and the CDK construct as a tarball of their own.',
  options: {
    destination: { type: 'string', default: ROOT, value: '<folder>', about: 'where the tarball goes' },
  },
  examples: ['npm run pack -- --destination ..'],
});
/** What only one of the entries needs. */
const OPTIONAL = ['@aws-sdk/client-lambda', 'aws-cdk-lib', 'constructs'];
const destination = resolve(values.destination);
const folder = mkdtempSync(join(tmpdir(), 'client-'));
try {
  compile('lib/client/tsconfig.json');
  await packConstruct();
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(), null, 2));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, 'docs/client.md'), join(folder, 'README.md'));
  mkdirSync(destination, { recursive: true });
  execFileSync('npm', ['pack', '--pack-destination', destination], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function compile(project: string): void {
  execFileSync(process.execPath, [TSC, '-p', project, '--outDir', folder], { cwd: ROOT, stdio: 'inherit' });
}

/** The construct's types need no check here: what it imports comes with npm run prove -- stack. */
async function packConstruct(): Promise<void> {
  compile('deploy/cdk/tsconfig.json');
  rmSync(join(folder, 'manifest.schema.d.ts')); // only the construct's inside uses it
  await build({
    entryPoints: [join(ROOT, 'deploy/cdk/index.ts')],
    outfile: join(folder, 'cdk/index.js'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22',
  });
}

/** The manifest of the client: its exports, and members shared with the project's manifest. */
function manifest(): object {
  const { name, version, license, type, engines, dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, string> & { dependencies: Record<string, string> };
  const [major] = dependencies['@aws-sdk/client-lambda']!.split('.');
  const entry = (file: string) => ({ types: `./client/${file}.d.ts`, default: `./client/${file}.js` });
  return {
    name,
    version,
    license,
    type,
    engines,
    description: 'Typed client of mdm-stream-functions, over HTTP or Lambda Invoke',
    exports: {
      '.': entry('index'),
      './lambda': entry('lambda'),
      './cdk': { types: './cdk/index.d.ts', default: './cdk/index.js' },
    },
    // for TypeScript's node10, which does not read exports
    types: './client/index.d.ts',
    typesVersions: { '*': { lambda: ['./client/lambda.d.ts'], cdk: ['./cdk/index.d.ts'] } },
    sideEffects: false,
    peerDependencies: { '@aws-sdk/client-lambda': `^${major}.0.0`, 'aws-cdk-lib': '^2.257.0', constructs: '^10.5.1' },
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  };
}
