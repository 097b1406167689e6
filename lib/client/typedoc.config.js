/** npx typedoc --options lib/client/typedoc.config.js: pages of the client's API, from its docstrings. */
export default {
  name: 'mdm-stream-functions',
  entryPoints: ['index.ts', 'lambda.ts'],
  tsconfig: 'tsconfig.json',
  out: '../../.build/api-docs',
  readme: '../../docs/client.md',
  // details of exported types
  intentionallyNotExported: [
    'ErrorType',
    'OperationErrorFields',
    'Inferring',
    'ReadValue',
    'ChangedValue',
    'PrefixedName',
  ],
  treatWarningsAsErrors: true,
};
