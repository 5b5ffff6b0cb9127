import { expect } from 'chai'
import sharp from 'sharp'
import type { OcrLine, Raster } from '../../src/raster.js'
import { problemOf, treeOf, written } from '../support/read.js'

const pixels = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 1 } } })

const lineAt = (text: string, top: number, height = 20): OcrLine => ({
  text,
  confidence: 1,
  box: { left: 10, top, width: 200, height },
})

describe('an image', () => {
  for (const format of ['png', 'jpeg', 'webp', 'tiff'] as const)
    it(`of the format ${format} is read as rows of red, green and blue`, async () => {
      const seen: Raster[] = []
      const ocr = (image: Raster) => {
        seen.push(image)
        return Promise.resolve([lineAt('One', 10), lineAt('two.', 34), lineAt('Far below', 200)])
      }
      const tree = await treeOf(await pixels(40, 30).toFormat(format).toBuffer(), { ocr })
      expect(written(tree, 'text')).to.equal('One\ntwo.\n\nFar below\n')
      expect(tree.blocks[0]).to.deep.include({ page: 1, box: { left: 10, top: 10, width: 200, height: 44 } })
      expect(seen).to.have.length(1)
      expect(seen[0]).to.deep.include({ width: 40, height: 30 })
      expect(seen[0]!.data).to.have.length(40 * 30 * 3)
      expect(seen[0]!.data[0]).to.be.greaterThan(240)
      expect(seen[0]!.data[1]).to.be.lessThan(15)
    })

  it('is upright, as its metadata says, and on white', async () => {
    const seen: Raster[] = []
    const ocr = (image: Raster) => {
      seen.push(image)
      return Promise.resolve([])
    }
    await treeOf(await pixels(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer(), { ocr })
    await treeOf(
      await sharp({ create: { width: 2, height: 2, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
        .png()
        .toBuffer(),
      { ocr },
    )
    expect(seen[0]).to.deep.include({ width: 30, height: 40 })
    expect([...seen[1]!.data]).to.deep.equal(Array.from({ length: 12 }, () => 255))
  })

  it('is kept where that is asked for', async () => {
    const bytes = await pixels(4, 4).png().toBuffer()
    expect(written(await treeOf(bytes, { embedImages: true }), 'markdown')).to.equal(
      `![](data:image/png;base64,${bytes.toString('base64')})\n`,
    )
  })

  it('without text has none', async () => {
    const ocr = () => Promise.resolve([])
    expect((await treeOf(await pixels(4, 4).png().toBuffer(), { ocr })).blocks).to.deep.equal([])
  })

  it('that is too narrow for its length is refused before it is decoded', async () => {
    const ocr = () => Promise.resolve([])
    expect(await problemOf(await pixels(1, 40_000).png().toBuffer(), { ocr })).to.include('32000 on a side')
  })
})
