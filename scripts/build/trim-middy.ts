import type { Plugin } from 'esbuild';
import { editModules } from './edit-modules.ts';

/*
 * middy makes an AbortController for each call, to end a handler early when time runs out. Our endpoints keep their own
 * deadlines and have that off (lib/endpoint/endpoint.ts); the controller was a tenth of what a warm call adds to Redis' time.
 */

const EDIT = {
  module: '@middy/core/index.js',
  passage: /const handlerAbort = new AbortController\(\);\s*const abortOpts = \{ signal: handlerAbort\.signal \};/,
  replacement: 'const handlerAbort = {}, abortOpts = { signal: undefined };',
  does: 'make a controller that aborts handlers',
};

/** Leaves the controller out. */
export function trimMiddy(): Plugin {
  return editModules('trim-middy', 'middy 7.9', [EDIT]);
}
