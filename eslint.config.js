import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import jest from 'eslint-plugin-jest';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores(['**/dist/', '.zonewright/', '**/node_modules/', 'packages/client/src/generated/']),
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    // One program for all of it, tests included: what is shared is read and checked once.
    languageOptions: {
      parserOptions: { project: 'tsconfig.test.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'no-console': 'error',
      complexity: ['error', 10],
      'max-depth': ['error', 3],
      'max-params': ['error', 4],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[object.name="process"][property.name="env"]',
          message: 'The environment is read once, in main.ts, and handed to readSettings().',
        },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // A class is used only where something has a life cycle; a wrapper type is sometimes just static.
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    // The one place of each program that sees the process it runs in.
    files: ['packages/*/src/main.ts', 'packages/dev-stack/src/**', 'packages/testkit/src/**'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Programs for people, whose output is their purpose.
    files: [
      'packages/{dev-stack,admin-cli}/src/**',
      'packages/*/src/main.ts',
      'scripts/**',
      'bench/**',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    // Bytes: every read is guarded by one bounds check at the top of its function.
    files: [
      'packages/nameserver/src/{wire,image,transport}/**',
      'packages/nameserver/src/answer/response-writer.ts',
      'packages/dns-records/src/wire/**',
    ],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off', 'max-params': ['error', 6] },
  },
  {
    files: ['packages/*/src/**/*.test.ts', 'packages/*/{test,conformance,bench}/**/*.ts'],
    extends: [jest.configs['flat/recommended']],
    rules: {
      'no-restricted-syntax': 'off',
      'max-lines': 'off',
      'max-params': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // supertest and the DNS helpers assert through functions of their own; waitFor fails at its deadline.
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['waitFor', 'expect*', 'request.**.expect', 'assert*'] },
      ],
      // Suites that need a Redis server or another program are skipped with a visible line without it.
      'jest/no-standalone-expect': 'off',
      'jest/no-conditional-expect': 'off',
    },
  },
  {
    files: ['packages/nameserver/src/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['express', 'ioredis'], message: 'It speaks DNS and SQL only.' }] },
      ],
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
      },
    },
  },
  prettier,
);
