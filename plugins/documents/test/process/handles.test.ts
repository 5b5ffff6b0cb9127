import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, extraction } from '@sallyport/core'
import { expect } from 'chai'
import documents from '../../src/index.js'

const descriptors = async () => (await readdir('/proc/self/fd')).length

describe('reading many documents', () => {
  it('leaves no files and no handles behind', async function () {
    if (process.platform !== 'linux') this.skip()
    const folder = await mkdtemp(join(tmpdir(), 'documents-'))
    const kernel = await createKernel({ plugins: [documents], models: { documents: { backend: 'documents' } } })
    const service = kernel.get(extraction, 'documents')
    const read = async (content: string) => {
      const file = join(folder, 'file')
      await writeFile(file, content)
      await service.extract({ file, fileName: 'x', format: 'text' }).catch(() => undefined)
    }
    await read('warm')
    const [before, files] = [await descriptors(), await readdir(folder)]
    for (let time = 0; time < 10; time++)
      for (const content of ['some text', '', '%PDF-1.7 broken', 'PK\x03\x04 broken']) await read(content)
    expect([await descriptors(), await readdir(folder)]).to.deep.equal([before, files])
    await kernel.stop()
    await rm(folder, { recursive: true })
  })
})
