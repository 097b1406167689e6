import type { Plugin } from 'esbuild';
import { editModules } from './edit-modules.ts';

/*
 * The AWS SDK copies the settings of its client, some sixty, three times a call, so that a call may write to its own. They are
 * inherited here, which a call may write over as well; nothing lists what a copy holds.
 */

const MIDDLEWARE = '@smithy/core/dist-es/submodules';

const EDITS = [
  {
    module: `${MIDDLEWARE}/endpoints/middleware-endpoint/endpointMiddleware.js`,
    passage: /\{ \.\.\.config \}/,
    replacement: 'Object.create(config)',
    does: 'copy the settings for the endpoint',
  },
  {
    module: `${MIDDLEWARE}/schema/middleware/schemaSerializationMiddleware.js`,
    passage: /\{\s*\.\.\.config,\s*\.\.\.context,\s*endpoint,\s*\}/,
    replacement: 'Object.assign(Object.create(config), context, { endpoint })',
    does: 'copy the settings for a request',
  },
  {
    module: `${MIDDLEWARE}/schema/middleware/schemaDeserializationMiddleware.js`,
    passage: /\{\s*\.\.\.config,\s*\.\.\.context,\s*\}/,
    replacement: 'Object.assign(Object.create(config), context)',
    does: 'copy the settings for a response',
  },
];

/** Takes out of the AWS SDK the copies of its settings. */
export function inheritSettings(): Plugin {
  return editModules('inherit-settings', '@smithy/core 3.41.0', EDITS);
}
