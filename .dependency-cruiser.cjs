/**
 * Who may import whom: test → scripts → sandbox → deploy → scripts/build → functions → lib, never back; in lib
 * downwards only; operations not each other.
 */

/** Each folder of lib, and the other folders of lib that it may import. */
const LIB = {
  core: [],
  contract: ['core'],
  config: ['contract', 'core'],
  invocation: ['config', 'contract', 'core'],
  endpoint: ['invocation', 'config', 'contract', 'core'],
  redis: ['invocation', 'config', 'contract', 'core'],
  stream: ['redis', 'invocation', 'config', 'contract', 'core'],
  mdm: ['redis', 'invocation', 'config', 'contract', 'core'],
  consumer: ['mdm', 'stream', 'redis', 'invocation', 'config', 'contract', 'core'],
  client: ['core'],
};
const folders = Object.keys(LIB).join('|');

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-folder-cycles', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    {
      name: 'lib-has-known-folders',
      severity: 'error',
      from: { path: '^lib/', pathNot: `^lib/(${folders})/` },
      to: {},
    },
    {
      name: 'lib-has-known-folders-to',
      severity: 'error',
      from: {},
      to: { path: '^lib/', pathNot: `^lib/(${folders})/` },
    },
    ...Object.entries(LIB).map(([folder, below]) => ({
      name: `lib-${folder}-imports-downwards`,
      severity: 'error',
      from: { path: `^lib/${folder}/` },
      to: { path: '^(lib|functions|deploy|sandbox|scripts|test)/', pathNot: `^lib/(${[folder, ...below].join('|')})/` },
    })),
    {
      name: 'functions-import-lib-only',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^(deploy|sandbox|scripts|test)/' },
    },
    {
      name: 'build-imports-functions-and-lib-only',
      severity: 'error',
      from: { path: '^scripts/build/' },
      to: { path: '^(deploy|sandbox|scripts|test)/', pathNot: '^scripts/build/' },
    },
    {
      name: 'deploy-imports-downwards',
      severity: 'error',
      from: { path: '^deploy/' },
      to: { path: '^(sandbox|scripts|test)/', pathNot: '^scripts/build/' },
    },
    {
      name: 'sandbox-imports-downwards',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: '^(scripts|test)/', pathNot: '^scripts/build/' },
    },
    { name: 'scripts-do-not-import-tests', severity: 'error', from: { path: '^scripts/' }, to: { path: '^test/' } },
    {
      name: 'operations-do-not-import-each-other',
      severity: 'error',
      from: { path: '^functions/([^/]+)/([^/]+)/' },
      to: { path: '^functions/[^/]+/[^/]+/', pathNot: '^functions/$1/$2/' },
    },
    {
      name: 'contracts-import-the-vocabulary-only',
      severity: 'error',
      from: { path: '^functions/.*/contract\\.ts$' },
      to: { pathNot: '^(lib/contract/(operation|known-from|parameters/[a-z-]+)\\.ts$|node_modules/typebox)' },
    },
    {
      name: 'registry-imports-contracts-only',
      severity: 'error',
      from: { path: '^functions/registry\\.ts$' },
      to: { pathNot: '(contract\\.ts$|^lib/contract/operation\\.ts$)' },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: { pathNot: '^deploy/cdk/' }, // npm run prove -- stack brings what it imports
      to: { couldNotResolve: true, pathNot: '\\.bundle\\.js$' },
    },
    {
      name: 'bundled-code-needs-dependencies',
      severity: 'error',
      from: {
        path: '^(functions|lib)/',
        pathNot:
          '(contract|schema|contract/parameters/[a-z-]+|compile|contract/operation)\\.ts$|typedoc\\.config\\.js$',
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
