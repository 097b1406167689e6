/*
 * Modules of the Redis client that our connections never run, by path below `dist`, and the small ones that take their
 * place. `trim-redis.ts` puts them in and fails the build when another module comes to use more of them.
 */

/** Commands that the client itself sends: wire name and method name. */
export const OWN_COMMANDS = {
  AUTH: 'auth',
  CLIENT_SETNAME: 'clientSetName',
  READONLY: 'readonly',
  CLUSTER_SLOTS: 'clusterSlots',
};

const wires = Object.keys(OWN_COMMANDS);
const ownCommands = Object.entries(OWN_COMMANDS).flatMap(([wire, method]) =>
  [wire, method].map((name) => `${name}: ${wire}_1.default`),
);

export const STAND_INS: Readonly<Record<string, string>> = {
  // What we import, and no more: geo searches, digests, scripts, pools and sentinels stay out. Written as an ES module,
  // so that the bundler says when we import something else.
  'index.js': `
    export { RESP_TYPES } from './lib/RESP/decoder';
    export { ErrorReply, MultiErrorReply, SimpleError, RootNodesUnavailableError } from './lib/errors';
    export { default as RedisClient } from './lib/client';
    import RedisClient from './lib/client';
    import RedisCluster from './lib/cluster';
    export const createClient = RedisClient.create;
    export const createCluster = RedisCluster.create;`,
  // The client builds a method for each of its 410 commands when it is loaded, which is most of a cold start (measured:
  // 0.63 of the time without). We send our commands as raw words.
  'lib/commands/index.js': `
    ${wires.map((wire) => `const ${wire}_1 = require("./${wire}");`).join('\n')}
    exports.default = { ${ownCommands.join(', ')} };
    exports.NON_STICKY_COMMANDS = exports.default;`,
  'lib/commands/generic-transformers.js': `
    const parser_1 = require("../client/parser");
    exports.parseArgs = (command, ...args) => {
      const parser = new parser_1.BasicCommandParser();
      command.parseCommand(parser, ...args);
      return Object.assign(parser.redisArgs, parser.preserve && { preserve: parser.preserve });
    };`,
  // Raw commands bring their key and go to its node: no table of routes, and no splitting over nodes.
  'lib/command-metadata/index.js': `
    const constants_1 = require("./policies-constants");
    const predicates_1 = require("./predicates");
    exports.REQUEST_POLICIES_WITH_DEFAULTS = constants_1.REQUEST_POLICIES_WITH_DEFAULTS;
    exports.RESPONSE_POLICIES_WITH_DEFAULTS = constants_1.RESPONSE_POLICIES_WITH_DEFAULTS;
    exports.defaultCommandPolicies = constants_1.defaultCommandPolicies;
    exports.isReplicaSafe = predicates_1.isReplicaSafe;
    exports.isCacheable = () => false;
    exports.defaultCommandMetadata = { resolvePolicy: () => ({ ok: false }), lookup() {} };`,
  'lib/cluster/request-response-policies/dispatch.js': `
    exports.REQUEST_ROUTERS = {};
    exports.RESPONSE_REDUCERS = {};
    exports.NUMERIC_AGG_POLICIES = new Set();
    exports.remapAggregateReply = (reply) => reply;`,
  'lib/cluster/request-response-policies/ft-cursor.js':
    'exports.finalizeFtCursor = (_slots, _parser, _plan, reply) => reply;',
  'lib/cluster/request-response-policies/scan-cursor.js':
    'exports.finalizeScanCursor = (_slots, _parser, _plan, reply) => reply;',
  // Options that we switch off, or do not ask for.
  'lib/client/enterprise-maintenance-manager.js': `
    exports.SMIGRATED_EVENT = '__SMIGRATED';
    exports.dbgMaintenance = () => {};
    exports.default = class {
      static setupDefaultMaintOptions(options) { options.maintNotifications = 'disabled'; }
      static async getHandshakeCommand() {}
    };`,
  'lib/client/pub-sub.js': `
    exports.PUBSUB_TYPE = { CHANNELS: 'CHANNELS', PATTERNS: 'PATTERNS', SHARDED: 'SHARDED' };
    exports.PubSub = class {
      static isStatusReply() { return false; }
      static isShardedUnsubscribe() { return false; }
      isActive = false;
      handleMessageReply() { return false; }
      resubscribe() { return []; }
      removeAllListeners() { return {}; }
      reset() {}
    };`,
  'lib/client/tracing.js': `
    exports.CHANNELS = {};
    exports.sanitizeArgs = () => [];
    exports.trace = (_name, run) => run();
    exports.publish = () => {};`,
  'lib/opentelemetry/index.js': 'exports.ClientRegistry = { instance: { register() {}, unregister() {} } };',
  'lib/authx/index.js': `
    const provider_1 = require("./credentials-provider");
    exports.CredentialsError = provider_1.CredentialsError;
    exports.UnableToObtainNewCredentialsError = provider_1.UnableToObtainNewCredentialsError;`,
  'lib/client/pool.js': 'exports.RedisClientPool = {};',
  'lib/client/legacy-mode.js': 'exports.RedisLegacyClient = class {};',
  'lib/client/cache.js': `
    exports.ClientSideCacheProvider = exports.PooledClientSideCacheProvider = class {};
    exports.BasicClientSideCache = exports.BasicPooledClientSideCache = class {};`,
};
