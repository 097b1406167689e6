import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/*
 * middy makes an AbortController for each call, to end a handler early when time runs out. Our endpoints keep their own
 * deadlines and have that off (lib/endpoint/endpoint.ts); the controller was a tenth of what a warm call adds to Redis' time.
 */

const CORE = /[\\/]node_modules[\\/]@middy[\\/]core[\\/]index\.js$/;
const CONTROLLER = 'new AbortController()';
/** Uses of it: its signal goes to the handler, and a timeout aborts it. */
const USES = /\bhandlerAbort\b/g;

/** Leaves the controller out; fails where middy is written otherwise. */
export function trimMiddy(): Plugin {
  return {
    name: 'trim-middy',
    setup(build) {
      build.onLoad({ filter: CORE }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const isKnown = source.split(CONTROLLER).length === 2 && source.match(USES)?.length === 3;
        if (!isKnown)
          return { errors: [{ text: `trim-middy: ${path} does not abort handlers as it did in middy 7.9` }] };
        return { contents: source.replace(CONTROLLER, '{}'), loader: 'js' };
      });
    },
  };
}
