import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../../build/root.ts';

/** What checks a stack, 200 MB of it: too much for every `npm ci`. */
const PACKAGES = { 'aws-cdk-lib': '2.276.0', 'cdk-nag': '3.0.2', constructs: '10.8.1', '@cdktf/hcl2json': '0.21.0' };

/** Where they are. */
export const TOOLS = join(ROOT, '.build/stack-tools');

const versionOf = (name: string): string | undefined => {
  const path = join(TOOLS, 'node_modules', name, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version : undefined;
};

/** Installs those that are missing, or of another version. */
export function ensureTools(): void {
  const wanted = Object.entries(PACKAGES).filter(([name, version]) => versionOf(name) !== version);
  if (wanted.length === 0) return;
  mkdirSync(TOOLS, { recursive: true });
  const args = ['install', '--prefix', TOOLS, '--no-save', '--no-package-lock', '--ignore-scripts', '--save-exact'];
  const all = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', [...args, ...all], { stdio: 'inherit' });
}

/** Loads one of them. */
export const tool = createRequire(join(TOOLS, 'index.js'));
