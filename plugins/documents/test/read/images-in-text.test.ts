import { expect } from 'chai'
import sharp from 'sharp'
import type { Raster } from '../../src/raster.js'
import { docxOf, paragraph, relations } from '../support/office.js'
import { limits, markdownOf, problemOf } from '../support/read.js'

const image = (size: number, red: number) =>
  sharp({ create: { width: size, height: size, channels: 3, background: { r: red, g: 0, b: 0 } } })
    .png()
    .toBuffer()

const drawn = (id: string) => `<w:p><w:r><w:drawing><a:blip xmlns:a="a" r:embed="${id}"/></w:drawing></w:r></w:p>`

/** A document with images by the ids of their relations. */
const withImages = (body: string, images: Readonly<Record<string, Uint8Array>>) =>
  docxOf(body, {
    'word/_rels/document.xml.rels': relations(
      Object.fromEntries(Object.keys(images).map((id) => [id, ['image', `media/${id}.png`] as const])),
    ),
    ...Object.fromEntries(Object.entries(images).map(([id, bytes]) => [`word/media/${id}.png`, bytes])),
  })

/** Says the brightness of the first pixel. */
const ocr = ({ data }: Raster) =>
  Promise.resolve([{ text: `red ${data[0]}`, confidence: 1, box: { left: 0, top: 0, width: 9, height: 9 } }])

describe('images in a text', () => {
  it('are read behind the paragraphs in which they stand, each once', async () => {
    const cell = `<w:tbl><w:tr><w:tc>${drawn('b')}</w:tc></w:tr></w:tbl>`
    const body = paragraph('one') + drawn('a') + paragraph('two') + drawn('a') + cell
    const document = withImages(body, { a: await image(40, 10), b: await image(40, 20) })
    expect(await markdownOf(document, { ocr })).to.equal('one\n\nred 10\n\ntwo\n\n|  |\n| --- |\n| red 20 |\n')
    expect(await markdownOf(document)).not.to.include('red')
    expect(await markdownOf(document, { ocr, embedImages: true })).to.match(
      /^one\n\n!\[\]\(data:image\/png;base64,[^)]+\)\n\nred 10\n/,
    )
  })

  it('are left out where they are ornaments, damaged, or of a format that is not read', async () => {
    const whole = await image(40, 10)
    const body = paragraph('text') + drawn('small') + drawn('damaged') + drawn('vector')
    const vector = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>')
    const images = { small: await image(8, 10), damaged: whole.subarray(0, 60), vector }
    expect(await markdownOf(withImages(body, images), { ocr })).to.equal('text\n')
  })

  it('are refused where there are more than are read, or one is too large', async () => {
    const images = {
      a: await image(40, 1),
      b: await image(40, 2),
      c: await image(40, 3),
      d: await image(40, 4),
    }
    const all = Object.keys(images).map(drawn).join('')
    expect(await problemOf(withImages(all, images), { ocr })).to.include(`more than ${limits.ocrPages} images`)
    const large = withImages(drawn('a'), { a: await image(2001, 1) })
    expect(await problemOf(large, { ocr })).to.include('at most 4 million')
  })
})
