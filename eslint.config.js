import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', '.serverless/', '.build/', 'node_modules/', 'coverage/', '**/*.generated.ts'] },
  ...tseslint.configs.strict,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off', // noUncheckedIndexedAccess asks for it where a length was checked
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
    },
  },
  {
    files: ['lib/**/*.ts', 'functions/**/*.ts'],
    ignores: ['lib/runtime/{config,aws-client}.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in lib/runtime only.' },
      ],
    },
  },
  { files: ['functions/*/*/handler.ts'], rules: { 'max-lines': ['error', 40] } },
  { files: ['functions/*/*/contract.ts'], rules: { 'max-lines': ['error', 60] } },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['deploy/**/*.ts', 'sandbox/**/*.ts', 'scripts/**/*.ts', 'test/**/*.ts'], rules: { 'no-console': 'off' } },
);
