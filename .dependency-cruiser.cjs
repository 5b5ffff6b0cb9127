/** Import directions: what may know what. */
const libraries = 'node_modules/(koa|@koa|koa-body|node-llama-cpp|onnxruntime-node|@huggingface)'

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      severity: 'error',
      comment: 'files that need each other are one file, or miss a third one',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'core-knows-no-plugin',
      severity: 'error',
      from: { path: '^core/src' },
      to: { path: '^(plugins|examples|test)/' },
    },
    {
      name: 'core-knows-no-model-library-and-no-web-framework',
      severity: 'error',
      from: { path: '^core/src' },
      to: { path: libraries },
    },
    {
      name: 'plugins-know-only-the-core',
      severity: 'error',
      comment: 'what a plugin needs of another one it gets as a capability',
      from: { path: '^plugins/([^/]+)/src' },
      to: { path: '^(plugins|examples|test)/', pathNot: '^plugins/$1/' },
    },
    {
      name: 'tests-of-plugins-know-only-the-core-and-stand-ins',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/test' },
      to: { path: '^(plugins|examples|test)/', pathNot: '^(plugins/$1|test/stand-ins)/' },
    },
    {
      name: 'plugins-use-the-core-by-its-name',
      severity: 'error',
      from: { path: '^plugins/' },
      to: { path: '^core/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-undeclared-dependency',
      severity: 'error',
      from: { path: '^(core|plugins/[^/]+)/src' },
      to: { dependencyTypes: ['unknown', 'undetermined', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'node', 'default'] },
    combinedDependencies: false,
  },
}
