import tseslint from 'typescript-eslint'

const banned = (selector, message) => ({ selector, message })

const singleton = banned(
  "Decorator[expression.callee.name='singleton']",
  'a singleton spans kernels: bind a value in the container of one construction',
)

/** Lists that come from requests and files may have more items than a call takes arguments. */
const spreads = [
  banned(
    "CallExpression[callee.object.name='Math'][callee.property.name=/^(max|min)$/] > SpreadElement",
    'some hundred thousand arguments overflow the stack: use maxOf or minOf of @sallyport/kit/lists',
  ),
  banned(
    'CallExpression[callee.property.name=/^(push|unshift)$/] > SpreadElement',
    'some hundred thousand arguments overflow the stack: use append of @sallyport/kit/lists',
  ),
]

const ownFetch = 'an address may come from a request: fetch it with OutboundFetch of @sallyport/outbound'
const bannedFetch = (name) => ({ name, message: ownFetch })

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: 'tsconfig.lint.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // An empty request, and errors without details, are meant.
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', singleton],
    },
  },
  {
    files: ['core/*/src/**', 'plugins/*/src/**'],
    rules: { 'no-restricted-syntax': ['error', singleton, ...spreads] },
  },
  {
    files: ['core/*/src/**', 'plugins/*/src/**'],
    ignores: ['core/outbound/src/**'],
    rules: {
      'no-restricted-globals': ['error', ...['fetch', 'WebSocket', 'EventSource'].map(bannedFetch)],
      'no-restricted-properties': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource'].map((property) => ({
          object: 'globalThis',
          property,
          message: ownFetch,
        })),
      ],
    },
  },
  {
    files: ['core/*/src/**', 'plugins/*/src/**'],
    // what an operator has configured: the hub, and other model servers
    ignores: ['core/outbound/src/**', 'core/store/src/fetch/**', 'plugins/upstream/src/client/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'undici', allowTypeImports: true, message: ownFetch },
            { name: 'node:https', message: ownFetch },
            ...['node:http', 'http'].map((name) => ({ name, importNames: ['request', 'get'], message: ownFetch })),
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
    files: ['core/cli/src/**', 'test/bench/**', 'test/quality/**', 'examples/**'],
    rules: { 'no-console': 'off' },
  },
)
