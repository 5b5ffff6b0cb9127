import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { testCall } from '@sallyport/testing'
import { TesseractEngine } from '../../src/ocr/index.js'
import { drawnText } from './support/drawn-text.js'
import { engineCases } from './support/engine-cases.js'

describe('OCR by Tesseract', function () {
  this.timeout(60_000)
  let engine: TesseractEngine
  before(() => (engine = new TesseractEngine()))
  after(() => engine.close())
  engineCases(() => engine)

  it('writes nothing into the working directory and asks no server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ocr-'))
    const [before, fetch] = [process.cwd(), globalThis.fetch]
    const other = new TesseractEngine()
    let asked = 0
    process.chdir(folder)
    globalThis.fetch = () => {
      asked++
      return Promise.reject(new Error('no network'))
    }
    try {
      expect(await other.read(drawnText(['SUMMER GREENS']), testCall())).to.have.length(1)
      expect(readdirSync(folder)).to.deep.equal([])
      expect(asked).to.equal(0)
    } finally {
      globalThis.fetch = fetch
      process.chdir(before)
      rmSync(folder, { recursive: true })
      await other.close()
    }
  })

  it('reads images that come at the same time one after the other', async () => {
    const words = ['SUMMER', 'GREENS', 'WITH FRESH']
    const read = await Promise.all(words.map((word) => engine.read(drawnText([word]), testCall())))
    expect(read.map((lines) => lines.map(({ text }) => text))).to.deep.equal(words.map((word) => [word]))
  })

  it('can be closed twice, and without having read', async () => {
    const other = new TesseractEngine()
    await other.close()
    await other.close()
  })
})
