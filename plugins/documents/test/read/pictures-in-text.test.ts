import { expect } from 'chai'
import sharp from 'sharp'
import type { Raster } from '../../src/ocr/engine.js'
import { docxOf, paragraph, relations } from '../support/office.js'
import { limits, markdownOf, problemOf } from '../support/read.js'

const picture = (size: number, red: number) =>
  sharp({ create: { width: size, height: size, channels: 3, background: { r: red, g: 0, b: 0 } } })
    .png()
    .toBuffer()

const drawn = (id: string) => `<w:p><w:r><w:drawing><a:blip xmlns:a="a" r:embed="${id}"/></w:drawing></w:r></w:p>`

/** A document with pictures by the ids of their relations. */
const withPictures = (body: string, pictures: Readonly<Record<string, Uint8Array>>) =>
  docxOf(body, {
    'word/_rels/document.xml.rels': relations(
      Object.fromEntries(Object.keys(pictures).map((id) => [id, ['image', `media/${id}.png`] as const])),
    ),
    ...Object.fromEntries(Object.entries(pictures).map(([id, bytes]) => [`word/media/${id}.png`, bytes])),
  })

/** Says the brightness of the first pixel. */
const ocr = ({ data }: Raster) =>
  Promise.resolve([{ text: `red ${data[0]}`, confidence: 1, box: { left: 0, top: 0, width: 9, height: 9 } }])

describe('pictures in a text', () => {
  it('are read behind the paragraphs in which they stand, each once', async () => {
    const cell = `<w:tbl><w:tr><w:tc>${drawn('b')}</w:tc></w:tr></w:tbl>`
    const body = paragraph('one') + drawn('a') + paragraph('two') + drawn('a') + cell
    const document = withPictures(body, { a: await picture(40, 10), b: await picture(40, 20) })
    expect(await markdownOf(document, { ocr })).to.equal('one\n\nred 10\n\ntwo\n\n|  |\n| --- |\n| red 20 |\n')
    expect(await markdownOf(document)).not.to.include('red')
    expect(await markdownOf(document, { ocr, embedImages: true })).to.match(
      /^one\n\n!\[\]\(data:image\/png;base64,[^)]+\)\n\nred 10\n/,
    )
  })

  it('are left out where they are ornaments, damaged, or of a format that is not read', async () => {
    const whole = await picture(40, 10)
    const body = paragraph('text') + drawn('small') + drawn('damaged') + drawn('vector')
    const vector = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>')
    const pictures = { small: await picture(8, 10), damaged: whole.subarray(0, 60), vector }
    expect(await markdownOf(withPictures(body, pictures), { ocr })).to.equal('text\n')
  })

  it('are refused where there are more than are read, or one is too large', async () => {
    const pictures = {
      a: await picture(40, 1),
      b: await picture(40, 2),
      c: await picture(40, 3),
      d: await picture(40, 4),
    }
    const all = Object.keys(pictures).map(drawn).join('')
    expect(await problemOf(withPictures(all, pictures), { ocr })).to.include(`more than ${limits.ocrPages} pictures`)
    const large = withPictures(drawn('a'), { a: await picture(2001, 1) })
    expect(await problemOf(large, { ocr })).to.include('at most 4 million')
  })
})
