import { OptionDefaults } from 'typedoc';

/** npm run api-docs: pages of the client's API, from its docstrings. */
export default {
  name: 'mdm-stream-functions',
  entryPoints: ['index.ts', 'lambda.ts'],
  tsconfig: 'tsconfig.json',
  out: '../../.build/api-docs',
  readme: '../../docs/client.md',
  blockTags: [...OptionDefaults.blockTags, '@minItems', '@maxItems'], // of the generated types
  intentionallyNotExported: ['ErrorType', 'OperationErrorFields', 'Range', 'Search', 'Without'], // details of exported types
  treatWarningsAsErrors: true,
};
