import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments } from './arguments.ts';
import { ROOT } from './build/root.ts';

/*
 * npm run pack: compiles the client, and packs it as a separate package. The project itself is private: its manifest
 * names the functions' dependencies, and the client needs none of them.
 */

const { values } = readArguments({
  command: 'npm run pack',
  about: 'Packs the client as a tarball of its own.',
  options: {
    destination: { type: 'string', default: ROOT, value: '<folder>', about: 'where the tarball goes' },
  },
  examples: ['npm run pack -- --destination ..'],
});
const destination = resolve(values.destination);
const folder = mkdtempSync(join(tmpdir(), 'client-'));
try {
  execFileSync('tsc', ['-p', 'lib/client/tsconfig.json', '--outDir', folder], { cwd: ROOT, stdio: 'inherit' });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(), null, 2));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, 'docs/client.md'), join(folder, 'README.md'));
  mkdirSync(destination, { recursive: true });
  execFileSync('npm', ['pack', '--pack-destination', destination], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The manifest of the client: its exports, and members shared with the project's manifest. */
function manifest(): object {
  const { name, version, license, type, engines, dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, string> & { dependencies: Record<string, string> };
  const [major] = dependencies['@aws-sdk/client-lambda']!.split('.');
  const entry = (file: string) => ({ types: `./client/${file}.d.ts`, default: `./client/${file}.js` });
  return {
    ...{ name, version, license, type, engines },
    description: 'Typed client of mdm-stream-functions, over HTTP or Lambda Invoke',
    exports: { '.': entry('index'), './lambda': entry('lambda') },
    // for TypeScript's node10, which does not read exports
    ...{ types: './client/index.d.ts', typesVersions: { '*': { lambda: ['./client/lambda.d.ts'] } } },
    sideEffects: false,
    peerDependencies: { '@aws-sdk/client-lambda': `^${major}.0.0` },
    peerDependenciesMeta: { '@aws-sdk/client-lambda': { optional: true } },
  };
}
