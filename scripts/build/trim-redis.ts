import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

/*
 * The Redis client builds a method for each of its 410 commands when it is loaded, which is most of a cold start
 * (measured: 0.63 of the time without). We send our commands as raw words, so the registry shrinks to the commands
 * that the client itself sends. Its 64 kB table of how a cluster routes each command goes too: raw commands bring
 * their key, and what the table does not know is routed by key. Its client for Sentinel goes, 31 kB: we do not use it
 * (see lib/redis/sentinel.ts). So does its registry of clients for OpenTelemetry, 24 kB, which nobody reads who does not
 * switch that on; and its pool, its cache and its legacy mode, 15 kB, which we do not ask for.
 */

/** Every command that the client has a method for. */
const { default: commands } = createRequire(import.meta.url)('@redis/client/dist/lib/commands/index.js') as {
  default: object;
};

const REGISTRY = /@redis\/client\/dist\/lib\/commands\/index\.js$/;
const ROUTES = /@redis\/client\/dist\/lib\/command-metadata\/command-metadata-data\.js$/;
const CLIENT = 'client/index.js';
const TELEMETRY_CALL = /opentelemetry_1\.([\w.]+)/g;

/** Modules that are left out, and what stands in their place for the client. */
const STAND_INS: Record<string, string> = {
  sentinel: 'exports.default = {};',
  opentelemetry: 'exports.ClientRegistry = { instance: { register() {}, unregister() {} } };',
  pool: 'exports.RedisClientPool = {};',
  cache: '',
  'legacy-mode': '',
};
const LEFT_OUT = /^\.\.?\/(?:lib\/)?(?:client\/)?(sentinel|opentelemetry|pool|cache|legacy-mode)$/;
const KNOWN_IMPORTER = /@redis\/client\/dist\/(?:index|lib\/client\/index|lib\/cluster\/cluster-slots)\.js$/;
/** A line that uses the cache, and does not do so where `clientSideCache` asks for it. */
const USES_CACHE = /^(?!.*clientSideCache).*\bcache_1\..*$/m;

/** Wire name and method name of what the client calls through its registry. */
const OWN_COMMANDS = {
  AUTH: 'auth',
  CLIENT_SETNAME: 'clientSetName',
  READONLY: 'readonly',
  CLUSTER_SLOTS: 'clusterSlots',
};

/** Files of the client that use the registry. */
const USERS = ['client/index.js', 'cluster/index.js', 'cluster/cluster-slots.js'];

/** Our own modules that may make a client, and how they do. */
const OWN_MODULE = /\/lib\/.*\.ts$/;
const MAKES_CLIENT = /const (\w+) = (?:await )?create(?:Client|Cluster|ClientPool)\(/g;

/** Puts a registry of the client's own commands in place of the whole; fails when the client changed its layout. */
export function trimRedis(): Plugin {
  return {
    name: 'trim-redis',
    setup(build) {
      build.onLoad({ filter: REGISTRY }, ({ path }) => {
        checkLayout(path);
        const commands = Object.entries(OWN_COMMANDS).map(
          ([wire, method]) => `exports.default.${wire} = exports.default.${method} = require('./${wire}').default;`,
        );
        const contents = [
          'exports.__esModule = true;',
          'exports.default = {};',
          ...commands,
          'exports.NON_STICKY_COMMANDS = exports.default;',
        ];
        return { contents: contents.join('\n'), loader: 'js', resolveDir: dirname(path) };
      });
      build.onLoad({ filter: OWN_MODULE }, async ({ path }) => {
        const errors = trimmedCalls(await readFile(path, 'utf8')).map((text) => ({ text, location: { file: path } }));
        return errors.length > 0 ? { errors } : undefined;
      });
      build.onResolve({ filter: LEFT_OUT }, ({ path, importer }) =>
        KNOWN_IMPORTER.test(importer) ? { path: LEFT_OUT.exec(path)![1]!, namespace: 'left-out' } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
        contents: STAND_INS[path],
        loader: 'js',
      }));
      build.onLoad({ filter: ROUTES }, () => ({ contents: 'exports.COMMAND_METADATA = { std: {} };', loader: 'js' }));
    },
  };
}

/** Calls of methods that the registry would hold, were it whole: packaged, they would not exist. */
function trimmedCalls(source: string): string[] {
  if (!/from 'redis'/.test(source)) return [];
  const clients = [...source.matchAll(MAKES_CLIENT)].map(([, name]) => name!);
  const calls = clients.flatMap((client) => [...source.matchAll(new RegExp(`\\b${client}\\.(\\w+)\\(`, 'g'))]);
  const own: string[] = Object.values(OWN_COMMANDS);
  return calls
    .map(([, method]) => method!)
    .filter((method) => method in commands && !own.includes(method))
    .map((method) => `trim-redis: ${method} is trimmed away from the Redis client; send the raw command`);
}

function checkLayout(registryPath: string): void {
  const registry = readFileSync(registryPath, 'utf8');
  const routes = readFileSync(join(dirname(registryPath), '../command-metadata/command-metadata-data.js'), 'utf8');
  if (!routes.includes('exports.COMMAND_METADATA = {')) throw new Error('trim-redis: the routing table has moved');
  for (const [wire, method] of Object.entries(OWN_COMMANDS)) {
    if (!registry.includes(`${wire}: ${wire}_1.default`) || !registry.includes(`${method}: ${wire}_1.default`)) {
      throw new Error(`trim-redis: @redis/client no longer registers ${wire} as ${method}; see ${registryPath}`);
    }
  }
  for (const user of USERS) {
    const source = readFileSync(join(dirname(registryPath), '..', user), 'utf8');
    if (USES_CACHE.test(source)) throw new Error(`trim-redis: ${user} now uses the cache, which is left out`);
    for (const [, wire] of source.matchAll(/commands_1\.default\.([A-Z_]+)/g)) {
      if (!(wire! in OWN_COMMANDS)) throw new Error(`trim-redis: ${user} now calls ${wire}, which is trimmed away`);
    }
  }
  for (const [, call] of readFileSync(join(dirname(registryPath), '..', CLIENT), 'utf8').matchAll(TELEMETRY_CALL)) {
    if (!/^ClientRegistry\.instance\.(un)?register$/.test(call!)) {
      throw new Error(`trim-redis: ${CLIENT} now uses ${call}, which is left out`);
    }
  }
}
