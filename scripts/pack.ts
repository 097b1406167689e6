import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.ts';
import { ROOT } from './start/names.ts';

/*
 * npm run pack [-- --only-compile]: compiles the client into .build/client, and packs it as a tarball of its own, without the
 * dependencies of the functions.
 */

const FOLDER = join(ROOT, '.build/client');

const { values } = readArguments({
  command: 'npm run pack',
  about: 'Packs the client as a tarball of its own.',
  options: {
    'only-compile': { type: 'boolean', about: 'compile into .build/client, and pack nothing' },
    destination: { type: 'string', default: ROOT, value: '<folder>', about: 'where the tarball goes' },
  },
  examples: ['npm run pack -- --destination /tmp'],
});

rmSync(FOLDER, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.client.json'], { cwd: ROOT, stdio: 'inherit' });
if (!values['only-compile']) {
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify(manifest(), null, 2));
  cpSync(join(ROOT, 'LICENSE'), join(FOLDER, 'LICENSE'));
  cpSync(join(ROOT, 'docs/client.md'), join(FOLDER, 'README.md'));
  mkdirSync(values.destination, { recursive: true });
  execFileSync('npm', ['pack', '--pack-destination', values.destination], { cwd: FOLDER, stdio: 'inherit' });
}

/** The manifest of the tarball: what the project's own says of the client. */
function manifest(): object {
  const { name, version, license, type, engines, exports, dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, string> & { dependencies: Record<string, string> };
  const [major] = dependencies['@aws-sdk/client-lambda']!.split('.');
  return {
    ...{ name, version, license, type, engines },
    description: 'Typed client of mdm-stream-functions, over HTTP or Lambda Invoke',
    exports: JSON.parse(JSON.stringify(exports).replaceAll('./.build/client/', './')) as object,
    sideEffects: false,
    peerDependencies: { '@aws-sdk/client-lambda': `^${major}.0.0` },
    peerDependenciesMeta: { '@aws-sdk/client-lambda': { optional: true } },
  };
}
