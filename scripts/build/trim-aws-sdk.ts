import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';
import { standIns } from './stand-ins.ts';

/*
 * Of the AWS SDK our functions call GetSecretValue and Invoke, on Lambda, where the environment configures them. What
 * serves other calls and other places is left out: the shapes and errors of some hundred commands, which the bundler
 * cannot distinguish from those of ours, the files of profiles (read in vain at each cold start), adaptive retries, streams of
 * events. An error keeps its name, message and metadata; its class is that of the whole service.
 */

const CORE = '@smithy/core/dist-es/submodules';

/** Modules that are left out, and the small ones that take their place. */
const STAND_INS: Readonly<Record<string, string>> = {
  // the environment, then the default; not the files of profiles, for which it makes two errors a setting
  [`${CORE}/config/node-config-provider/configLoader.js`]: `
    import { memoize } from '../property-provider/memoize';
    const read = (select, options) => {
      try { return select(process.env, options); } catch { return undefined; }
    };
    export const loadConfig = ({ environmentVariableSelector, default: fallback }, { signingName, logger } = {}) =>
      memoize(async () => {
        const value = read(environmentVariableSelector, { signingName, logger });
        return value !== undefined ? value : typeof fallback === 'function' ? fallback() : fallback;
      });`,
  // Lambda has the region in its environment; this asks a virtual machine for it
  [`${CORE}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`]:
    'export const getInstanceMetadataRegion = async () => undefined;',
  // each way of writing a date is read by two modules: this one, and another that JSON and headers share
  [`${CORE}/serde/date-utils.js`]: `
    export {
      _parseEpochTimestamp as parseEpochTimestamp,
      _parseRfc3339DateTimeWithOffset as parseRfc3339DateTimeWithOffset,
      _parseRfc3339DateTimeWithOffset as parseRfc3339DateTime,
      _parseRfc7231DateTime as parseRfc7231DateTime,
    } from './schema-serde-lib/schema-date-utils';
    export const dateToUtcString = (date) => date.toUTCString();`,
  // for a Node without its own SHA-256
  [`${CORE}/checksum/sha256/Sha256Js.js`]: 'export class Sha256Js {}',
  // AWS_RETRY_MODE=adaptive, which limits the rate of one client: a container makes one call in five minutes
  [`${CORE}/retry/util-retry/AdaptiveRetryStrategy.js`]: `export { StandardRetryStrategy as AdaptiveRetryStrategy } from './StandardRetryStrategy';`,
  // a look at the global ReadableStream, or crypto, loads all that it is part of
  [`${CORE}/serde/util-stream/stream-type-check.js`]:
    'export const isReadableStream = () => false; export const isBlob = () => false;',
  [`${CORE}/serde/uuid/v4.js`]: `import { randomUUID } from 'node:crypto'; export const bindV4 = () => randomUUID;`,
  [`${CORE}/event-streams/index.js`]: `
    export const resolveEventStreamSerdeConfig = (config) => config;
    export const eventStreamSerdeProvider = () => undefined;`,
  // signs messages of such streams
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': 'export class HeaderFormatter {}',
};

const SCHEMAS = /@aws-sdk\/client-[\w-]+\/dist-es\/schemas\/schemas_0\.js$/;
const MANIFEST = /node_modules\/.*\/package\.json$/;
const CLIENT = /^@aws-sdk\/client-[\w-]+\/dist-es\/index\.js$/;

/** Leaves out what the AWS SDK has for other calls than ours. */
export function trimAwsSdk(): Plugin {
  return {
    name: 'trim-aws-sdk',
    setup(build) {
      void standIns('trim-aws-sdk', CLIENT, STAND_INS).setup(build);
      build.onLoad({ filter: SCHEMAS }, async ({ path }) => ({
        contents: trimSchemas(await readFile(path, 'utf8'), path),
        loader: 'js',
        resolveDir: dirname(path),
      }));
      build.onLoad({ filter: MANIFEST }, async ({ path }) => {
        const { name, version } = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
        return { contents: JSON.stringify({ name, version }), loader: 'json' }; // read for the version alone
      });
    },
  };
}

const REGISTERS_ERROR = /^n0_registry\.registerError\(.*\);$/gm;
/** A shape: a list. */
const SHAPE = /^((?:export )?var \w+\$? = )(\[[^;]*\]);$/gm;

/** No error is registered, so none is used; and each shape is a call without side effects, so that the unused ones go. */
function trimSchemas(source: string, path: string): string {
  if (source.search(REGISTERS_ERROR) < 0 || source.search(SHAPE) < 0) {
    throw new Error(`trim-aws-sdk: schemas are no longer written as they were: ${path}`);
  }
  return source.replace(REGISTERS_ERROR, '').replace(SHAPE, '$1/* @__PURE__ */ (() => $2)();');
}
