import tseslint from 'typescript-eslint'

const banned = (selector, message) => ({ selector, message })

const guarded = 'an address may come from a request: fetch it with GuardedFetch of core/src/outbound'
const unguarded = (name) => ({ name, message: guarded })

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // An empty request, and errors without details, are meant.
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        banned(
          "Decorator[expression.callee.name='singleton']",
          'a singleton spans kernels: bind a value in the container of one construction',
        ),
      ],
    },
  },
  {
    files: ['core/src/**', 'plugins/*/src/**'],
    ignores: ['core/src/outbound/**'],
    rules: {
      'no-restricted-globals': ['error', ...['fetch', 'WebSocket', 'EventSource'].map(unguarded)],
      'no-restricted-properties': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource'].map((property) => ({
          object: 'globalThis',
          property,
          message: guarded,
        })),
      ],
    },
  },
  {
    files: ['core/src/**', 'plugins/*/src/**'],
    // what an operator has configured: the hub, and other model servers
    ignores: ['core/src/outbound/**', 'core/src/store/fetch/**', 'plugins/upstream/src/client/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'undici', allowTypeImports: true, message: guarded },
            { name: 'node:https', message: guarded },
            ...['node:http', 'http'].map((name) => ({ name, importNames: ['request', 'get'], message: guarded })),
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.test.ts', '**/test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines-per-function': 'off',
    },
  },
  {
    files: ['core/src/cli/**', 'test/bench/**', 'test/quality/**', 'examples/**'],
    rules: { 'no-console': 'off' },
  },
)
