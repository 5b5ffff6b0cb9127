import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { errorOf, isUnreachable } from '@sallyport/stand-ins/errors'
import { leftovers, temporaryDirectories } from '@sallyport/stand-ins/files'
import { ModelStore } from '../src/store.js'
import { skipBecause } from './support/skip.js'

const temporary = temporaryDirectories()

/** What npm itself tells the programs that it starts, and what must not confuse an npm below. */
const underNpm = { npm_config_workspace: 'core', npm_config_dry_run: 'true', npm_config_prefix: '/nowhere' }

describe('the registries themselves', function () {
  this.timeout(120_000)

  const pulls: [model: string, client: readonly string[]][] = [
    ['smollm2-135m-instruct', ['python3', '-m', 'pip', '--version']],
    ['tesseract-eng', ['npm', '--version']],
  ]
  for (const [model, [program = '', ...args]] of pulls)
    it(`have ${model}`, async function () {
      if (spawnSync(program, args).status !== 0) skipBecause(this, `${program} is not installed`)
      const home = join(await temporary(), 'home')
      const store = new ModelStore({ home, environment: { ...process.env, ...underNpm, SALLYPORT_OFFLINE: '' } })
      const pulled = store.resolve(model)
      if (await isUnreachable(pulled)) skipBecause(this, 'its registry cannot be reached')
      const { files, catalogueEntry: entry } = await pulled
      expect(files.model).to.match(new RegExp(`${entry?.files.model?.name ?? '-'}$`))
      expect(await leftovers(home)).to.deep.equal([`blobs/sha256/${entry?.files.model?.sha256 ?? ''}`])
      const offline = new ModelStore({ home, offline: true })
      expect((await offline.resolve(model)).files).to.deep.equal(files)
      expect((await errorOf(offline.resolve('rampart'))).message).to.include('the store is offline')
    })
})
