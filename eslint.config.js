import tseslint from 'typescript-eslint';

/** Long lines, spreads and assignments that hide what they do. */
const PLAIN_STYLE = {
  complexity: ['error', { max: 18, variant: 'modified' }],
  'max-len': ['error', { code: 120, ignoreUrls: true, ignoreRegExpLiterals: true, ignoreTemplateLiterals: true }],
  'no-restricted-syntax': [
    'error',
    {
      selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
      message: 'Write the members instead of spreading a literal into another.',
    },
    {
      selector: 'ObjectExpression > SpreadElement > ConditionalExpression:has(> ObjectExpression)',
      message: 'Spread `condition && { … }`, or give the member undefined.',
    },
    {
      selector: 'AssignmentExpression > ArrayPattern > MemberExpression',
      message: 'Assign each field by a statement of its own.',
    },
  ],
};

/** Finds paths of programs, which `npm run check -- layers` does not see. A selector has `\\u002F` for a slash. */
const runsNothingIn = (folders) => {
  const path = String.raw`/^(?!#)(.*\u002F)?(${folders})\u002F[\w.\u002F-]+\.[cm]?[jt]s$/`;
  return [`Literal[value=${path}]`, `TemplateElement[value.cooked=${path}]`].map((selector) => ({
    selector,
    message: 'Run no program of a folder that may not be imported here.',
  }));
};
const [, ...PLAIN_SYNTAX] = PLAIN_STYLE['no-restricted-syntax'];
const NOT_BUILD = String.raw`scripts(?!\u002Fbuild\u002F)`;

export default tseslint.config(
  // `npm run prove -- stack` brings what deploy/cdk imports
  { ignores: ['dist/', '.serverless/', '.build/', 'node_modules/', 'coverage/', '**/*.generated.ts', 'deploy/cdk/'] },
  ...tseslint.configs.strict,
  { rules: PLAIN_STYLE },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // noUncheckedIndexedAccess asks for it where a length was checked
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
    },
  },
  {
    files: ['lib/**/*.ts', 'functions/**/*.ts'],
    ignores: ['lib/config/{config,aws-client,deployed-operations}.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in lib/config only.' },
      ],
    },
  },
  {
    files: ['scripts/build/**', 'deploy/**'],
    rules: { 'no-restricted-syntax': ['error', ...PLAIN_SYNTAX, ...runsNothingIn(`sandbox|test|${NOT_BUILD}`)] },
  },
  {
    files: ['sandbox/**'],
    rules: { 'no-restricted-syntax': ['error', ...PLAIN_SYNTAX, ...runsNothingIn(`test|${NOT_BUILD}`)] },
  },
  { files: ['functions/*/*/handler.ts'], rules: { 'max-lines': ['error', 40] } },
  { files: ['functions/*/*/contract.ts'], rules: { 'max-lines': ['error', 65] } },
  {
    files: ['test/**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: 'fast-check', message: 'test/support/fast-check.ts generates the same inputs in every npm test.' },
      ],
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['deploy/**/*.ts', 'sandbox/**/*.ts', 'scripts/**/*.ts', 'test/**/*.ts'], rules: { 'no-console': 'off' } },
);
