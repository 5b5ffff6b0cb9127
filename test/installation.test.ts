import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { repository } from './support/repository.js'

interface Locked {
  readonly dev?: boolean
}

/** Paths in the lock file. */
async function locked() {
  const { packages } = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>
  }
  return packages
}

const { prune } = (await import(pathToFileURL(join(repository, 'core/bin/prune.mjs')).href)) as {
  prune: (folder: string, machine?: { platform: string; arch: string }) => number
}

describe('what a start installs', () => {
  for (const tool of ['oxlint', 'prettier', 'mocha', 'chai', 'fast-check', 'dependency-cruiser'])
    it(`has no ${tool}, which is for development`, async () => {
      expect((await locked())[`node_modules/${tool}`]).to.have.property('dev', true)
    })

  it('has no library for GPUs, of hundreds of megabytes each', async () => {
    const paths = Object.keys(await locked()).filter((path) => /@node-llama-cpp\/.*-(cuda|vulkan)/.test(path))
    expect(paths, 'entries to delete from package-lock.json: npm then leaves them out').to.deep.equal([])
  })
})

describe('the removal of binaries for other systems', () => {
  const files = [
    'onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so',
    'onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so',
    'onnxruntime-node/bin/napi-v6/darwin/arm64/libonnxruntime.dylib',
    'onnxruntime-node/bin/napi-v6/win32/x64/onnxruntime.dll',
    'onnxruntime-node/package.json',
    '@node-llama-cpp/linux-x64/bins/addon.node',
    '@node-llama-cpp/linux-arm64/bins/addon.node',
    '@node-llama-cpp/mac-arm64-metal/bins/addon.node',
    'tokenizers/tokenizers.linux-x64-gnu.node',
    'tokenizers/tokenizers.linux-x64-musl.node',
    'tokenizers/tokenizers.darwin-universal.node',
    'tokenizers/tokenizers.win32-x64-msvc.node',
    '@node-llama-cpp/linux-armv7l/bins/addon.node',
  ]
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-prune-'))
    for (const file of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), Buffer.alloc(2 ** 20))
    }
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  for (const [platform, arch, kept] of [
    ['linux', 'x64', [0, 4, 5, 8, 9]],
    ['linux', 'arm64', [1, 4, 6, 7]],
    ['linux', 'arm', [4, 12]],
    ['darwin', 'arm64', [2, 4, 6, 7, 10]],
  ] as const)
    it(`leaves on ${platform} ${arch} what that can load, and says how much it removed`, () => {
      expect(prune(folder, { platform, arch })).to.equal(files.length - kept.length)
      expect(files.filter((file) => existsSync(join(folder, file)))).to.deep.equal(kept.map((index) => files[index]))
    })

  it('finds nothing to remove where none of the libraries is installed', () => {
    expect(prune(join(folder, 'nowhere'))).to.equal(0)
  })
})
