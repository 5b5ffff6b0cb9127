import { expect } from 'chai'
import { imageFormat } from '../src/image-format.js'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('the format of an image', () => {
  for (const [start, format] of [
    ['\x89PNG\r\n\x1a\n', 'png'],
    ['\xff\xd8\xff\xe0', 'jpeg'],
    ['RIFF\x01\x02\x03\x04WEBPVP8 ', 'webp'],
    ['GIF87a', 'gif'],
    ['GIF89a', 'gif'],
  ] as const)
    it(`is ${format} where it starts with ${JSON.stringify(start)}`, () => {
      expect(imageFormat(bytes(start))).to.equal(format)
      expect(imageFormat(bytes(`xxx${start}`).subarray(3)), 'a view of other bytes').to.equal(format)
    })

  for (const [what, start] of [
    ['nothing', ''],
    ['half a signature', '\x89PNG'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['an SVG with the letters of WebP in their place', "<svg a='WEBP' xmlns='http://www.w3.org/2000/svg'/>"],
    ['a TIFF with the letters of WebP in their place', 'II*\0\x08\0\0\0WEBP'],
    ['a HEIF with the letters of WebP in their place', '\0\0\0\x18ftypWEBP'],
    ['another file of RIFF', 'RIFF\x01\x02\x03\x04WAVEfmt '],
    ['a signature further behind', ' GIF89a'],
  ] as const)
    it(`is unknown of ${what}`, () => expect(imageFormat(bytes(start))).to.equal(undefined))
})
