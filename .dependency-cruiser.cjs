/** Import directions, imports of types included: what may know what. */

/** The packages of the core, from the lowest to the highest: each with those that it may import. */
const below = {
  contract: [],
  checks: ['contract'],
  kit: ['contract'],
  outbound: ['contract', 'kit'],
  weights: ['contract', 'kit'],
  'tool-loop': ['contract', 'kit'],
  config: ['contract', 'kit', 'outbound', 'weights'],
  store: ['contract', 'kit', 'outbound', 'weights', 'config'],
  guard: ['contract', 'kit', 'outbound', 'weights'],
  testing: ['contract', 'checks', 'kit'],
  kernel: ['contract', 'checks', 'kit', 'outbound', 'weights', 'guard', 'store', 'config'],
  cli: ['contract', 'checks', 'kit', 'outbound', 'weights', 'store', 'config', 'kernel'],
}
const ofPlugins = ['contract', 'checks', 'kit', 'outbound', 'weights']
const ofAdapters = [...ofPlugins, 'tool-loop']
const adapters = 'koa'

const modelLibraries = 'node_modules/(koa|@koa|koa-body|node-llama-cpp|onnxruntime-node|@huggingface)'
const folders = (packages) => `^core/(${packages.join('|')})/`

const directions = Object.entries(below).map(([name, allowed]) => ({
  name: `${name}-knows-what-lies-below`,
  severity: 'error',
  from: { path: `^core/${name}/src` },
  to: { path: '^core/', pathNot: folders([name, ...allowed]) },
}))

module.exports = {
  forbidden: [
    ...directions,
    {
      name: 'no-cycle',
      severity: 'error',
      comment: 'files that need each other are one file, or miss a third one',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'folders-of-a-package-import-one-way',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(core/[^/]+|plugins/(koa|pii|guards|content-checks))/src' },
      to: { circular: true },
    },
    {
      name: 'the-core-knows-no-plugin',
      severity: 'error',
      from: { path: '^core/[^/]+/src' },
      to: { path: '^(plugins|examples|test)/' },
    },
    {
      name: 'the-core-knows-no-model-library-and-no-web-framework',
      severity: 'error',
      from: { path: '^core/[^/]+/src' },
      to: { path: modelLibraries },
    },
    {
      name: 'plugins-know-what-authors-import',
      severity: 'error',
      from: { path: '^plugins/[^/]+/src', pathNot: `^plugins/(${adapters})/` },
      to: { path: '^core/', pathNot: folders(ofPlugins) },
    },
    {
      name: 'adapters-serve-the-tool-loop-besides',
      severity: 'error',
      from: { path: `^plugins/(${adapters})/src` },
      to: { path: '^core/', pathNot: folders(ofAdapters) },
    },
    {
      name: 'plugins-do-not-know-each-other',
      severity: 'error',
      comment: 'what a plugin needs of another one it gets as a capability',
      from: { path: '^plugins/([^/]+)/' },
      to: { path: '^(plugins|examples|test)/', pathNot: '^(plugins/$1|test/stand-ins)/' },
    },
    {
      name: 'packages-are-imported-by-their-names',
      severity: 'error',
      from: { path: '^(core|plugins)/([^/]+)/' },
      to: { path: '^(core|plugins)/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-undeclared-dependency',
      severity: 'error',
      comment: 'of the packages of this repository, test/structure.test.ts holds it',
      from: { path: '^(core|plugins)/[^/]+/src' },
      to: { pathNot: '^(core|plugins)/', dependencyTypes: ['unknown', 'undetermined', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)(node_modules|dist)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'node', 'default'] },
    combinedDependencies: false,
  },
}
