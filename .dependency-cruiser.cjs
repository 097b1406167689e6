/** Who may import whom: scripts, test → functions → lib, never back; rooms do not visit each other. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'lib-knows-no-room',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(functions|scripts|test)/' },
    },
    {
      name: 'product-knows-no-tool',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^(scripts|test)/' },
    },
    {
      name: 'rooms-do-not-visit',
      severity: 'error',
      from: { path: '^functions/([^/]+)/([^/]+)/' },
      to: { path: '^functions/[^/]+/[^/]+/', pathNot: '^functions/$1/$2/' },
    },
    {
      name: 'contract-imports-contracts-parts-only',
      severity: 'error',
      from: { path: '^functions/.*/contract\\.ts$' },
      to: { pathNot: '^(lib/operation/(contract|[a-z-]+-parameters)\\.ts$|node_modules/typebox)' },
    },
    {
      name: 'registry-imports-contracts-only',
      severity: 'error',
      from: { path: '^functions/registry\\.ts$' },
      to: { pathNot: '(contract\\.ts$)' },
    },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'bundled-code-needs-dependencies',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: '(contract|schema|-parameters|compile)\\.ts$' },
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
