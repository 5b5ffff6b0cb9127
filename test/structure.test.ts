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
      const { name, type, license, files, exports, peerDependencies } = manifest(plugin)
      expect({ name, type, license, files }).to.deep.equal({
        name: `@sallyport/${plugin}`,
        type: 'module',
        license: 'Apache-2.0',
        files: ['dist/src', ...(existsSync(join(repository, 'plugins', plugin, 'models')) ? ['models'] : [])],
      })
      expect(exports).to.have.property('.')
      expect(peerDependencies).to.have.property('@sallyport/core')
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

/** Names of packages of this repository that the sources below a folder import. */
const importedBelow = (folder: string): string[] => {
  const files = readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => file.endsWith('.ts'))
  const specifiers = sources.flatMap((file) => {
    const text = readFileSync(join(repository, folder, file), 'utf8')
    return Array.from(text.matchAll(/(?:from|import\()\s*'(@sallyport\/[\w-]+)/g), ([, name = '']) => name)
  })
  return [...new Set(specifiers)].sort()
}

describe('every package', () => {
  const folders = ['core', 'plugins'].flatMap((folder) =>
    readdirSync(join(repository, folder)).map((name) => `${folder}/${name}`),
  )
  for (const folder of folders.filter((name) => existsSync(join(repository, name, 'package.json'))))
    it(`${folder} declares the packages of this repository that its sources import, and no others`, () => {
      const { name, dependencies, peerDependencies } = JSON.parse(
        readFileSync(join(repository, folder, 'package.json'), 'utf8'),
      ) as Manifest
      const declared = Object.keys({ ...dependencies, ...peerDependencies }).filter((each) =>
        each.startsWith('@sallyport/'),
      )
      const imported = importedBelow(`${folder}/src`).filter((each) => each !== name)
      expect(declared.sort()).to.deep.equal(imported)
    })
})

describe('what an author imports', () => {
  it('needs two packages of others', () => {
    const text = readFileSync(join(repository, 'core/contract/package.json'), 'utf8')
    expect(Object.keys((JSON.parse(text) as Manifest).dependencies ?? {})).to.deep.equal([
      'reflect-metadata',
      'tsyringe',
    ])
  })
})

describe('the checks of the specification', () => {
  /** Definitions, detectors, and the adapter's spellings. */
  const homes = [
    ...['core/checks/src', 'core/testing/src', 'plugins/guards/src', 'plugins/pii/src'],
    ...['plugins/koa/src/safeguards/specification-checks.ts', 'plugins/koa/src/routes/checks'],
  ]
  const folders = ['core', 'plugins'].flatMap((folder) =>
    readdirSync(join(repository, folder)).map((name) => `${folder}/${name}/src`),
  )
  const files = folders
    .filter((folder) => existsSync(join(repository, folder)) && !homes.includes(folder))
    .flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.ts') && !homes.some((home) => file.startsWith(home)))

  it('are named by no other code than that', () => {
    const naming = files.flatMap((file) => {
      const code = readFileSync(join(repository, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
      return /['"`.\s](?:toxicity|injection|factuality|pii)\b/.test(code.replaceAll('dependency injection', ''))
        ? [file]
        : []
    })
    expect(naming).to.deep.equal([])
  })
})

describe('the repository', () => {
  it('has the rooms that its architecture names, and no others', () => {
    const folders = readdirSync(repository, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .filter((name) => !['node_modules', 'bench-results'].includes(name))
    expect(folders.sort()).to.deep.equal(['config', 'core', 'docs', 'examples', 'plugins', 'test'])
  })
})
