import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { repository } from './support/repository.js'

interface Manifest {
  name: string
  type: string
  license: string
  files: string[]
  exports: Record<string, unknown>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const plugins = readdirSync(join(repository, 'plugins'))
const manifest = (plugin: string) =>
  JSON.parse(readFileSync(join(repository, 'plugins', plugin, 'package.json'), 'utf8')) as Manifest

describe('every plugin', () => {
  for (const plugin of plugins) {
    it(`${plugin} has the files that a plugin has`, () => {
      for (const file of ['package.json', 'tsconfig.json', 'README.md', 'src/index.ts', 'test'])
        expect(existsSync(join(repository, 'plugins', plugin, file)), file).to.equal(true)
    })

    it(`${plugin} is a package named after its folder, with the core as its peer`, () => {
      const { name, type, license, files, exports, peerDependencies, dependencies } = manifest(plugin)
      expect({ name, type, license, files }).to.deep.equal({
        name: `@sallyport/${plugin}`,
        type: 'module',
        license: 'Apache-2.0',
        files: ['dist/src', ...(existsSync(join(repository, 'plugins', plugin, 'models')) ? ['models'] : [])],
      })
      expect(exports).to.have.property('.')
      expect(peerDependencies).to.have.property('@sallyport/core')
      expect(Object.keys(dependencies ?? {}).filter((other) => other.startsWith('@sallyport/'))).to.deep.equal([])
    })

    it(`${plugin} lists its own programs, which the core does not name`, () => {
      const list = join(repository, 'plugins', plugin, 'programs.debian')
      const packages = existsSync(list)
        ? readFileSync(list, 'utf8').replace(/#.*/g, '').split(/\s+/).filter(Boolean)
        : []
      const script = readFileSync(join(repository, 'core/bin/install-programs.sh'), 'utf8')
      for (const name of packages) expect(script).not.to.include(name)
    })

    it(`${plugin} exports a definition of its own name`, async () => {
      const { default: definition } = (await import(`@sallyport/${plugin}`)) as { default: { name: string } }
      expect(definition.name).to.equal(`@sallyport/${plugin}`)
    })
  }
})

describe('the repository', () => {
  it('has the rooms that its architecture names, and no others', () => {
    const folders = readdirSync(repository, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .filter((name) => !['node_modules', 'bench-results'].includes(name))
    expect(folders.sort()).to.deep.equal(['config', 'core', 'examples', 'plugins', 'test'])
  })
})
