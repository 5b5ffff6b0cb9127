import { expect } from 'chai'
import { encode as encodePng } from 'fast-png'
import jpeg from 'jpeg-js'
import { decodePicture, PictureError } from '../../src/ocr/index.js'
import { noise } from './support/drawn-text.js'

const { width, height, data } = noise(7, 5)

const failureOf = (bytes: Uint8Array): unknown => {
  try {
    decodePicture(bytes)
    return undefined
  } catch (error) {
    return error
  }
}

/** A photograph of two halves, the left one dark, with an orientation. */
const photograph = (orientation: number): Uint8Array => {
  const rgba = Uint8Array.from({ length: 4 * 32 * 16 }, (_, at) =>
    Math.floor(at / 4) % 32 < 16 && at % 4 < 3 ? 0 : 255,
  )
  const plain = jpeg.encode({ width: 32, height: 16, data: rgba }, 95).data
  const tiff = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
  const segment = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff]
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, segment.length + 2, ...segment, ...plain.subarray(2)])
}

describe('a picture file', () => {
  it('gives the pixels of a PNG', () => {
    expect(decodePicture(encodePng({ width, height, data, channels: 3 }))).to.deep.equal({ width, height, data })
  })

  for (const [what, channels, values, expected] of [
    ['grey', 1, [0, 100], [0, 0, 0, 100, 100, 100]],
    ['grey and transparent, on white', 2, [0, 255, 0, 0], [0, 0, 0, 255, 255, 255]],
    ['transparent, on white', 4, [10, 20, 30, 255, 10, 20, 30, 0], [10, 20, 30, 255, 255, 255]],
  ] as const)
    it(`gives those that are ${what}`, () => {
      const bytes = encodePng({ width: 2, height: 1, data: Uint8Array.from(values), channels })
      expect([...decodePicture(bytes).data]).to.deep.equal(expected)
    })

  it('gives those of 16 bits', () => {
    const values = Uint16Array.from([0, 65535, 32768])
    const bytes = encodePng({ width: 3, height: 1, data: values, channels: 1, depth: 16 })
    expect([...decodePicture(bytes).data].filter((_, at) => at % 3 === 0)).to.deep.equal([0, 255, 128])
  })

  for (const [orientation, dark] of [
    [1, 'left'],
    [2, 'right'],
    [3, 'right'],
    [4, 'left'],
    [5, 'top'],
    [6, 'top'],
    [7, 'bottom'],
    [8, 'bottom'],
  ] as const)
    it(`is turned as a photograph says: orientation ${orientation}`, () => {
      const picture = decodePicture(photograph(orientation))
      const at = (x: number, y: number) => picture.data[3 * (y * picture.width + x)]! < 128
      const [right, bottom] = [picture.width - 2, picture.height - 2]
      const sides = {
        left: at(1, bottom / 2),
        right: at(right, bottom / 2),
        top: at(right / 2, 1),
        bottom: at(right / 2, bottom),
      }
      const lying = picture.width > picture.height
      expect(lying).to.equal(dark === 'left' || dark === 'right')
      expect(sides[dark]).to.equal(true)
      expect(sides[({ left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const)[dark]]).to.equal(false)
    })

  const png = encodePng({ width, height, data, channels: 3 })
  const huge = Uint8Array.from(png)
  new DataView(huge.buffer).setUint32(16, 100_000)
  new DataView(huge.buffer).setUint32(20, 100_000)
  for (const [what, bytes, problem] of [
    ['empty', new Uint8Array(), 'neither'],
    ['no picture', Uint8Array.from([1, 2, 3]), 'neither'],
    ['a PNG that is cut off', png.subarray(0, 60), 'broken'],
    ['the head of a PNG', png.subarray(0, 10), 'broken'],
    ['the head of a JPEG', photograph(1).subarray(0, 100), 'broken'],
    ['a PNG that says it has ten thousand million pixels', huge, 'more than 50 million'],
  ] as const)
    it(`is refused where it is ${what}`, () => {
      const error = failureOf(bytes)
      expect(error).to.be.instanceOf(PictureError)
      expect((error as Error).message).to.contain(problem)
    })
})
