import type { Plugin } from 'esbuild';

/*
 * On Lambda the credentials are in the environment, so the SDK's chain of ten other sources (profiles, SSO, web
 * identity, containers) is 137 kB that never runs. The chain also keeps what it found, and so does what takes its place: to
 * read the environment takes 15 µs, for each call that is signed. A packaged function run elsewhere needs them in its
 * environment too.
 */

const CHAIN = /^@aws-sdk\/credential-provider-node$/;

/** Puts the environment's credentials in place of the AWS SDK's default chain. */
export function lambdaCredentials(): Plugin {
  return {
    name: 'lambda-credentials',
    setup(build) {
      build.onResolve({ filter: CHAIN }, async ({ path, ...options }) => {
        if (options.pluginData === CHAIN) return undefined;
        const chain = await build.resolve(path, { ...options, pluginData: CHAIN });
        if (chain.errors.length > 0) return chain;
        return { path: chain.path, namespace: 'lambda-credentials' };
      });
      build.onLoad({ filter: /.*/, namespace: 'lambda-credentials' }, ({ path }) => ({
        contents: `
          import { fromEnv } from '@aws-sdk/credential-provider-env';
          export const defaultProvider = (init) => {
            const read = fromEnv(init);
            let found;
            return async () => (found ??= await read());
          };`,
        resolveDir: path.slice(0, path.lastIndexOf('/')),
      }));
    },
  };
}
