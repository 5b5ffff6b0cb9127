import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@sallyport/kernel'
import { extraction } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { expect } from 'chai'
import sharp from 'sharp'
import documents from '../../src/index.js'
import { msgOf } from '../support/msg.js'
import { docxOf, paragraph, zipOf } from '../support/office.js'

const descriptors = async () => (await readdir('/proc/self/fd')).length

const cut = (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)

/** None of them can be read. */
const bad = async (): Promise<Readonly<Record<string, Uint8Array | string>>> => ({
  nothing: '',
  'a PDF': '%PDF-1.7 broken',
  'an archive': 'PK\x03\x04 broken',
  'a docx': cut(docxOf(paragraph('text'))),
  'an rtf': '{\\rtf1 {\\b cut off',
  'a mail of Outlook': cut(msgOf({ subject: 'S', body: 'text '.repeat(2000) })),
  'an image': cut(
    await sharp({ create: { width: 99, height: 99, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  ),
  'a bomb': zipOf({ '[Content_Types].xml': 'x', bomb: new Uint8Array(65 * 2 ** 20) }),
  entities: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
})

describe('reading many documents', function () {
  this.timeout(60_000)
  const outside = process.env['TMPDIR']
  let [kernel, folder]: [Kernel, string] = [{} as Kernel, '']
  before(async function () {
    if (process.platform !== 'linux') this.skip()
    folder = await mkdtemp(join(tmpdir(), 'documents-'))
    // what anything writes for a while is written here, too
    process.env['TMPDIR'] = folder
    kernel = await createKernel({ plugins: [documents], models: { documents: { backend: 'documents' } } })
  })
  after(async function () {
    if (process.platform !== 'linux') return
    await kernel.stop()
    if (outside === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = outside
    await rm(folder, { recursive: true })
  })

  const read = async (name: string, content: Uint8Array | string): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, content)
    const request = { file, fileName: 'x', format: 'text', ocr: true } as const
    try {
      const { parts } = await kernel.get(extraction).extract(request)
      return parts.map(({ text }) => text).join('')
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  it('leaves no files and no handles behind, and harms none that is read at the same time', async () => {
    const all = Object.entries(await bad())
    await Promise.all(['warm', 'warm too'].map((name) => read(name, name)))
    for (const [name, content] of all) expect(await read(name, content), name).to.equal('unsupported_media')
    const count = async () => [await descriptors(), (await readdir(folder)).length]
    await read('good', 'some text')
    const before = await count()
    for (let time = 0; time < 5; time++)
      for (const [name, content] of all)
        expect(await Promise.all([read('good', 'some text'), read(name, content)])).to.deep.equal([
          'some text\n',
          'unsupported_media',
        ])
    expect(await count()).to.deep.equal(before)
  })
})
