import type { Plugin } from 'esbuild';

/*
 * Parts of the AWS SDK that no call of ours comes to, 15 kB: the codec of event streams, which the SDK imports when an
 * operation's answer is one.
 */

const EVENT_STREAMS = /^@smithy\/core\/event-streams$/;

/** Leaves out what the SDK would import on demand for event streams. */
export function leanSdk(): Plugin {
  return {
    name: 'lean-sdk',
    setup(build) {
      build.onResolve({ filter: EVENT_STREAMS }, ({ path, kind }) =>
        kind === 'dynamic-import' ? { path, external: true } : undefined,
      );
    },
  };
}
