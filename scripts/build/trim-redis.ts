import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { toEsModule } from './to-es-module.ts';
import { OWN_COMMANDS, STAND_INS } from './redis-stand-ins.ts';

/*
 * Of the Redis client, 430 kB, a connection of ours runs a third. The registry of its commands, what routes them in a
 * cluster, Pub/Sub, maintenance notifications, tracing, telemetry, the pool, the cache and the legacy mode are left out,
 * and so is its client for Sentinel (see lib/redis/sentinel.ts). The build fails when the client changes its layout.
 */

/** Every command that the client has a method for. */
const { default: commands } = createRequire(import.meta.url)('@redis/client/dist/lib/commands/index.js') as {
  default: object;
};

const CLIENT = /^(.*[\\/]@redis[\\/]client[\\/]dist)[\\/](.*\.js)$/;
const REGISTRY = 'lib/commands/index.js';
/** How the client's modules import one another. */
const IMPORT = /(\w+) = (?:__import(?:Default|Star)\()?require\("(\.[^"]*)"\)/g;
/** A line that uses the cache, and does not do so where `clientSideCache` asks for it. */
const USES_CACHE = /^(?!.*clientSideCache).*\bcache_1\..*$/m;

/** Our own modules that may make a client, and how they do. */
const OWN_MODULE = /\/lib\/.*\.ts$/;
const MAKES_CLIENT = /const (\w+) = (?:await )?create(?:Client|Cluster|ClientPool)\(/g;
/** Methods whose module is left out, beside those of the commands. */
const LEFT_OUT = /^([ps]?(un)?subscribe|legacy|createPool)$/i;

/** Puts small modules in place of those that we do not use; fails when others of the client need more of them. */
export function trimRedis(): Plugin {
  return {
    name: 'trim-redis',
    setup(build) {
      const loaded = new Set<string>();
      build.onStart(() => loaded.clear());
      build.onLoad({ filter: CLIENT }, async ({ path }) => {
        const [, root, module] = CLIENT.exec(path.replaceAll('\\', '/'))!;
        loaded.add(module!);
        const source = await readFile(path, 'utf8');
        if (module === REGISTRY) checkRegistry(source);
        const contents = STAND_INS[module!];
        const errors = missingIn(source, path, root!).map((text) => ({ text: `trim-redis: ${module} ${text}` }));
        if (errors.length > 0 && contents === undefined) return { errors };
        return { contents: toEsModule(contents ?? source), loader: 'js', resolveDir: dirname(path) };
      });
      build.onLoad({ filter: OWN_MODULE }, async ({ path }) => {
        const errors = trimmedCalls(await readFile(path, 'utf8')).map((text) => ({ text, location: { file: path } }));
        return errors.length > 0 ? { errors } : undefined;
      });
      build.onEnd(({ errors }) => {
        const unused =
          loaded.size > 0 && errors.length === 0 ? Object.keys(STAND_INS).filter((one) => !loaded.has(one)) : [];
        return { errors: unused.map((module) => ({ text: `trim-redis: the Redis client no longer has ${module}` })) };
      });
    },
  };
}

/** What a module of the client uses and its stand-ins do not have. */
function missingIn(source: string, path: string, root: string): string[] {
  const cached = USES_CACHE.test(source) ? ['now uses the cache, which is left out'] : [];
  const missing = [...source.matchAll(IMPORT)].flatMap(([, name, target]) => {
    const standIn = standInOf(relative(root, join(dirname(path), target!)).replaceAll('\\', '/'));
    if (standIn === undefined) return [];
    const used = [...source.matchAll(new RegExp(`\\b${name}\\.(\\w+(?:\\.[A-Z]\\w+)?)`, 'g'))].map(
      ([, member]) => member!,
    );
    return used.filter((member) => !provides(standIn, member)).map((member) => `now uses ${member}, which is left out`);
  });
  return [...cached, ...missing];
}

const standInOf = (module: string) => STAND_INS[`${module}.js`] ?? STAND_INS[`${module}/index.js`];

/** Whether a stand-in has an export; of the registry's default, a command. */
function provides(standIn: string, member: string): boolean {
  const [name, part] = member.split('.');
  if (!new RegExp(`\\bexports\\.${name}\\b`).test(standIn)) return false;
  return standIn !== STAND_INS[REGISTRY] || part === undefined || part in OWN_COMMANDS;
}

/** Calls of methods that the client would have, were it whole: packaged, they would not exist. */
function trimmedCalls(source: string): string[] {
  if (!/from 'redis'/.test(source)) return [];
  const clients = [...source.matchAll(MAKES_CLIENT)].map(([, name]) => name!);
  const calls = clients.flatMap((client) => [...source.matchAll(new RegExp(`\\b${client}\\.(\\w+)\\(`, 'g'))]);
  const own: string[] = Object.values(OWN_COMMANDS);
  return calls
    .map(([, method]) => method!)
    .filter((method) => (method in commands && !own.includes(method)) || LEFT_OUT.test(method))
    .map((method) => `trim-redis: ${method} is trimmed away from the Redis client; send the raw command`);
}

function checkRegistry(registry: string): void {
  for (const [wire, method] of Object.entries(OWN_COMMANDS)) {
    if (!registry.includes(`${wire}: ${wire}_1.default`) || !registry.includes(`${method}: ${wire}_1.default`)) {
      throw new Error(`trim-redis: @redis/client no longer registers ${wire} as ${method}`);
    }
  }
}
