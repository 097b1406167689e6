import { defineConfig } from 'oxlint';

/** Spreads and assignments that hide what they do, and paths that some folders break. */
const PLAIN_SYNTAX = [
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
  {
    selector: 'MemberExpression[property.name="pathname"] > NewExpression:has(MetaProperty)',
    message: 'Use fileURLToPath: a pathname has %20 for the space of a folder.',
  },
];

/** Finds paths of programs, which `npm run check -- layers` does not see. A selector has `\\u002F` for a slash. */
const runsNothingIn = (folders: string) => {
  const path = String.raw`/^(?!#)(.*\u002F)?(${folders})\u002F[\w.\u002F-]+\.[cm]?[jt]s$/`;
  return [`Literal[value=${path}]`, `TemplateElement[value.cooked=${path}]`].map((selector) => ({
    selector,
    message: 'Run no program of a folder that may not be imported here.',
  }));
};
const NOT_BUILD = String.raw`scripts(?!\u002Fbuild\u002F)`;

/** Promises, `any` and what else only types show. */
const TYPED = [
  'no-misused-promises',
  'no-unnecessary-type-assertion',
  'no-unsafe-argument',
  'no-unsafe-assignment',
  'no-unsafe-call',
  'no-unsafe-enum-comparison',
  'no-unsafe-member-access',
  'no-unsafe-return',
  'only-throw-error',
  'prefer-promise-reject-errors',
  'restrict-plus-operands',
];

export default defineConfig({
  plugins: ['typescript'],
  // rules of ESLint that oxlint has not
  jsPlugins: [{ name: 'eslint-js', specifier: 'oxlint-plugin-eslint' }],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  // `npm run prove -- stack` brings what deploy/cdk imports
  ignorePatterns: ['dist/', '.serverless/', '.build/', 'coverage/', '**/*.generated.ts', 'deploy/cdk/'],
  categories: { correctness: 'error' },
  rules: {
    'no-control-regex': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/require-array-sort-compare': 'off',
    complexity: ['error', { max: 18, variant: 'modified' }],
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'eslint-js/max-len': [
      'error',
      { code: 120, ignoreUrls: true, ignoreRegExpLiterals: true, ignoreTemplateLiterals: true },
    ],
    'eslint-js/no-restricted-syntax': ['error', ...PLAIN_SYNTAX],
    'typescript/ban-ts-comment': 'error',
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-extraneous-class': 'error',
    'typescript/no-invalid-void-type': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/prefer-literal-enum-member': 'error',
    'typescript/unified-signatures': 'error',
  },
  overrides: [
    {
      files: ['**/*.ts'],
      rules: {
        ...Object.fromEntries(TYPED.map((rule) => [`typescript/${rule}`, 'error' as const])),
        'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
        'no-console': 'error',
      },
    },
    {
      files: ['lib/**/*.ts', 'functions/**/*.ts'],
      excludeFiles: ['lib/config/{config,aws-client,deployed-operations}.ts'],
      rules: {
        'no-restricted-properties': [
          'error',
          { object: 'process', property: 'env', message: 'The environment is read in lib/config only.' },
        ],
      },
    },
    {
      files: ['scripts/build/**', 'deploy/**'],
      rules: {
        'eslint-js/no-restricted-syntax': ['error', ...PLAIN_SYNTAX, ...runsNothingIn(`sandbox|test|${NOT_BUILD}`)],
      },
    },
    {
      files: ['sandbox/**'],
      rules: { 'eslint-js/no-restricted-syntax': ['error', ...PLAIN_SYNTAX, ...runsNothingIn(`test|${NOT_BUILD}`)] },
    },
    { files: ['functions/*/*/handler.ts'], rules: { 'max-lines': ['error', 40] } },
    { files: ['functions/*/*/contract.ts'], rules: { 'max-lines': ['error', 65] } },
    {
      files: ['test/**/*.test.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            name: 'fast-check',
            message: 'test/support/fast-check.ts generates the same inputs in every npm test.',
          },
        ],
      },
    },
    { files: ['**/*.{js,cjs,mjs}'], rules: { 'typescript/unbound-method': 'off' } },
    { files: ['**/*.cjs'], rules: { 'typescript/no-require-imports': 'off' } },
    { files: ['deploy/**/*.ts', 'sandbox/**/*.ts', 'scripts/**/*.ts', 'test/**/*.ts'], rules: { 'no-console': 'off' } },
  ],
});
