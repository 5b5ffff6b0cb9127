/** Directories of uploads, which servers in several containers may share. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { silentLogger } from '@sallyport/core'
import { expect } from 'chai'
import { diskFailure } from '../src/storage-full.js'
import { sweepUploadDirectories, UploadDirectory } from '../src/upload/upload-directory.js'
import { fileModel } from './support/files.js'
import { fileOf, postForm } from './support/forms.js'
import { testKernel } from './support/kernel.js'
import { startServer } from './support/server.js'

describe('the directory of uploads', () => {
  let parent: string
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'sallyport-upload-directory-test-'))
  })
  afterEach(() => rmSync(parent, { recursive: true }))

  const leave = (name: string): void => {
    mkdirSync(join(parent, name))
    writeFileSync(join(parent, name, 'upload'), 'left')
  }

  it('loses what a killed process left, whatever its id is now, and nothing that is in use', async () => {
    const used = await UploadDirectory.make(parent, 20)
    for (const name of [`sallyport-upload-${process.pid}-abcdef`, 'sallyport-upload-aBc123', 'another']) leave(name)
    await sweepUploadDirectories(parent, 400)
    expect(readdirSync(parent).toSorted()).to.deep.equal(['another', basename(used.path)])
    await used.remove()
    expect(readdirSync(parent)).to.deep.equal(['another'])
  })

  it('keeps what began while it was watched', async () => {
    leave('sallyport-upload-before')
    const swept = sweepUploadDirectories(parent, 100)
    await new Promise((resolve) => setTimeout(resolve, 20))
    leave('sallyport-upload-since')
    await swept
    expect(readdirSync(parent)).to.deep.equal(['sallyport-upload-since'])
  })

  it('says in words of its own that it is gone', async () => {
    const failed = await UploadDirectory.make(join(parent, 'none')).catch((error: unknown) => error)
    expect(failed).to.have.property('code', 'internal')
  })

  for (const [code, expected] of [
    ['ENOSPC', 'insufficient_storage'],
    ['EDQUOT', 'insufficient_storage'],
    ['EACCES', 'internal'],
  ] as const)
    it(`answers ${code} of the disk with ${expected}`, () => {
      expect(diskFailure(Object.assign(new Error('disk'), { code }))).to.have.property('code', expected)
    })

  it('is found relative to the directory of the configuration', async () => {
    const model = fileModel()
    const kernel = await testKernel([model.model])
    mkdirSync(join(parent, 'here'))
    const server = await startServer(kernel, { uploadDirectory: 'here' }, silentLogger, parent)
    await postForm(server, '/documents/extract', { file: fileOf('x') })
    await server.stop()
    expect(model.read.at(-1)?.file.startsWith(join(parent, 'here'))).to.equal(true)
  })

  it('is looked at when the server starts', async () => {
    const kernel = await testKernel([fileModel().model])
    const start = startServer(kernel, { uploadDirectory: 'nowhere' }, silentLogger, parent)
    const failed = await start.catch((error: unknown) => error)
    expect(failed).to.have.property('code', 'config_invalid')
    expect(String(failed)).to.contain('server.uploadDirectory').and.to.contain(join(parent, 'nowhere'))
  })
})
