import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

const PACKAGES = ['redis', '@aws-sdk/client-secrets-manager', 'node-fetch', '@middy/core', 'esbuild', 'bullmq'];

/** What the figures were measured on, and with. */
export function describeMachine() {
  const [cpu] = cpus();
  return {
    machine: {
      cpu: cpu!.model.trim(),
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 1e9),
      system: `${type()} ${release()}`,
    },
    versions: {
      node: process.versions.node,
      redisServer: /v=(\S+)/.exec(execFileSync('redis-server', ['--version'], { encoding: 'utf8' }))![1]!,
      ...Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)])),
    },
  };
}

function versionOf(name: string): string {
  const path = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
