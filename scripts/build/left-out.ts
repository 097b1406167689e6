/** A module that the bundles omit because no call reaches it. */
export interface LeftOut {
  readonly package: string;
  /** The checked version. */
  readonly version: string;
  /** Path of the module in its package. */
  readonly module: string;
  /** SHA-256 of the module's file. */
  readonly sha256: string;
  /** The modules that import it, by path below `node_modules`. */
  readonly importedBy: readonly string[];
  /** Why it is never reached. */
  readonly why: string;
  /** A module that re-exports what stays. Default: nothing stays. Other exports throw when used. */
  readonly keeps?: string;
}

/*
 * All modules that the bundles omit. Other package code ships as its authors published it. Before you change a row,
 * read the new version of the module and its importers, and run `npm test`.
 */

const REDIS = { package: '@redis/client', version: '6.3.1' };
const FETCH_BLOB = { package: 'fetch-blob', version: '3.2.0' };

export const LEFT_OUT: readonly LeftOut[] = [
  {
    ...REDIS,
    module: 'dist/index.js',
    sha256: '52da598f93ff660519f3a0ac6e604a29272f6a9230235a649b0d24a706160dcc',
    importedBy: [],
    why: 'clients are made only for a server and a cluster, not for Sentinel, pools, scripts or geo searches',
    keeps: `
      import RedisClient from './lib/client';
      import RedisCluster from './lib/cluster';
      export { RESP_TYPES } from './lib/RESP/decoder';
      export {
        ClientClosedError, ClientOfflineError, ErrorReply, MultiErrorReply, RootNodesUnavailableError, SimpleError,
      } from './lib/errors';
      export { RedisClient };
      export const { create: createClient } = RedisClient;
      export const { create: createCluster } = RedisCluster;`,
  },
  {
    ...REDIS,
    module: 'dist/lib/commands/index.js',
    sha256: '58d4601586775dfe196d3e38b41eca3d81cf6882a6e90595b4093f695fda05d0',
    importedBy: [
      '@redis/client/dist/index.js',
      '@redis/client/dist/lib/client/index.js',
      '@redis/client/dist/lib/client/legacy-mode.js',
      '@redis/client/dist/lib/client/multi-command.js',
      '@redis/client/dist/lib/client/pool.js',
      '@redis/client/dist/lib/cluster/index.js',
      '@redis/client/dist/lib/cluster/multi-command.js',
      '@redis/client/dist/lib/sentinel/index.js',
      '@redis/client/dist/lib/sentinel/multi-commands.js',
    ],
    why: 'commands are sent as raw words; of its 410 commands the client itself calls these four',
    keeps: `
      const AUTH = require('./AUTH').default;
      const CLIENT_SETNAME = require('./CLIENT_SETNAME').default;
      const CLUSTER_SLOTS = require('./CLUSTER_SLOTS').default;
      const READONLY = require('./READONLY').default;
      exports.__esModule = true;
      exports.default = {
        AUTH, auth: AUTH,
        CLIENT_SETNAME, clientSetName: CLIENT_SETNAME,
        CLUSTER_SLOTS, clusterSlots: CLUSTER_SLOTS,
        READONLY, readonly: READONLY,
      };
      exports.NON_STICKY_COMMANDS = exports.default;`,
  },
  {
    ...REDIS,
    module: 'dist/lib/client/pool.js',
    sha256: '595bf9621d9f9b36a9bd81411d0aefd33fbf58ca5a092948a0bff2b87a421078',
    importedBy: ['@redis/client/dist/index.js', '@redis/client/dist/lib/client/index.js'],
    why: 'connections are pooled by lib/redis/pool.ts',
  },
  {
    ...REDIS,
    module: 'dist/lib/client/cache.js',
    sha256: '17d3b4b374ae863ca8600cd53ccc50df12d7e234d1fd1cc0dcc7a578be66c76b',
    importedBy: [
      '@redis/client/dist/index.js',
      '@redis/client/dist/lib/client/index.js',
      '@redis/client/dist/lib/client/pool.js',
      '@redis/client/dist/lib/cluster/cluster-slots.js',
      '@redis/client/dist/lib/sentinel/index.js',
    ],
    why: 'the option clientSideCache is not set',
  },
  {
    ...REDIS,
    module: 'dist/lib/opentelemetry/metrics.js',
    sha256: '40d098a6b6cfa92f692df5377d4fb93f1bb237b4acc0dbeace442af8ff6ca7a1',
    importedBy: ['@redis/client/dist/lib/opentelemetry/index.js'],
    why: 'OpenTelemetry.init is not called',
  },
  {
    package: '@aws-sdk/credential-provider-node',
    version: '3.972.97',
    module: 'dist-es/index.js',
    sha256: 'a952aa83f0c61f1c5399518dc09fe095e793bcd0d93d5e5316e97c8a68f24e25',
    importedBy: [
      '@aws-sdk/client-lambda/dist-es/runtimeConfig.js',
      '@aws-sdk/client-secrets-manager/dist-es/runtimeConfig.js',
    ],
    why: 'credentials are read from the environment (lib/config/aws-client.ts)',
  },
  {
    package: '@aws-sdk/core',
    version: '3.981.0',
    module: 'dist-es/submodules/client/util-user-agent-browser/createUserAgentStringParsingProvider.js',
    sha256: '3ba8e1ef7c60f22fb9e24116cc629f98d808b0211bd4d8aa842cbbdc2b8b8ebc',
    importedBy: [
      '@aws-sdk/core/dist-es/submodules/client/index.js',
      '@aws-sdk/core/dist-es/submodules/client/util-user-agent-browser/defaultUserAgent.js',
    ],
    why: 'it describes a browser',
  },
  {
    ...FETCH_BLOB,
    module: 'index.js',
    sha256: '5b56afbb2cc10d38ed6631954e17e4dfa90322b688bef7c0db3a2bda6c901587',
    importedBy: ['fetch-blob/file.js', 'fetch-blob/from.js', 'formdata-polyfill/esm.min.js', 'node-fetch/src/body.js'],
    why: 'no body is a blob',
  },
  {
    ...FETCH_BLOB,
    module: 'from.js',
    sha256: '8083ba1d38737d94fe02d51255a5b827f3f2a83894764f60c3a2f3bc28ea96e8',
    importedBy: ['node-fetch/src/index.js', 'node-fetch/src/utils/multipart-parser.js'],
    why: 'no body is a file',
  },
  {
    package: 'node-fetch',
    version: '3.3.2',
    module: 'src/utils/multipart-parser.js',
    sha256: '71a98e3306e3188e4d5c3b6bc6038697eb666eae831bd164abf59ba8982e8bb9',
    importedBy: ['node-fetch/src/body.js'],
    why: 'no response is read as a form',
  },
  {
    package: 'formdata-polyfill',
    version: '4.0.10',
    module: 'esm.min.js',
    sha256: '20c154d9698bdaaeb4101be7eb40dca8173afa264597889617826209219fa8aa',
    importedBy: ['node-fetch/src/body.js', 'node-fetch/src/index.js', 'node-fetch/src/utils/multipart-parser.js'],
    why: 'no body is a form',
  },
];
