/* npm run help: the npm scripts by what you do. */

const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Use: {
    start: 'the local stack, with real data carried through it',
    invoke: 'a function of the local stack, or of a deployment',
    status: 'streams, runs and dead letters of a consumer',
    doctor: 'what is wrong with a configuration or a deployment',
    types: "types of your tenant's records",
    mcp: 'the operations as tools of a language model',
    trace: 'source lines in a stack trace of a deployed function',
    pack: 'the client as a package',
  },
  Deploy: {
    secret: 'makes or checks the secret',
    cost: 'estimates the monthly cost',
    deploy: 'deploys a stage; `-- --dry-run` packages alone',
    remove: 'removes a stage',
    migrate: 'reads a Mule application, and says what becomes of it',
  },
  Develop: {
    test: 'the checks and all tests; `npm test -- <path>` those tests alone',
    check: 'types, lint, layers, unused code, completeness, generated files',
    build: 'bundles the functions for a release',
    generate: 'writes the generated files',
    document: 'writes the pages that show real responses',
    prove: 'what takes longer: faults, explore, bench, interop, servers, …',
  },
};

const width = Math.max(...Object.values(GROUPS).flatMap((scripts) => Object.keys(scripts).map(({ length }) => length)));
for (const [group, scripts] of Object.entries(GROUPS)) {
  const rows = Object.entries(scripts).map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
  console.log(`${group}\n${rows.join('\n')}\n`);
}
console.log('npm run <name> -- --help explains most of them.');
