import type { Plugin } from 'esbuild';
import { editModules } from './edit-modules.ts';

/*
 * For each call, the AWS SDK copies the settings of its client, some sixty, three times, so that a call may write to its own;
 * makes an error, with its stack, for the case that there will be one; and describes itself anew for `user-agent`. The
 * settings are inherited here, which a call may write over as well (nothing lists what a copy holds); the error is the one
 * that a call ends in; and the description, which is of the process, is kept with the client's settings.
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
  {
    module: `${MIDDLEWARE}/retry/middleware-retry/retryMiddleware.js`,
    passage: /let lastError = new Error\(\);/,
    replacement: 'let lastError;',
    does: 'make an error for each call',
  },
  {
    module: '@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/user-agent-middleware.js',
    passage: /\(await options\.defaultUserAgentProvider\(\)\)\.map\(escapeUserAgent\)/,
    replacement: '[...(options.ownUserAgent ??= (await options.defaultUserAgentProvider()).map(escapeUserAgent))]',
    does: 'describe itself',
  },
];

/** Takes out of the AWS SDK what it makes for each call and no call needs. */
export function directAwsSdk(): Plugin {
  return editModules('direct-aws-sdk', '@smithy/core 3.41.0 and @aws-sdk/core 3.981.0', EDITS);
}
