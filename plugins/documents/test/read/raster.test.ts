import { expect } from 'chai'
import sharp from 'sharp'
import { decodeImage } from '../../src/raster.js'
import { noise } from '../ocr/support/drawn-text.js'

const { width, height, data } = noise(7, 5)

const pixelsOf = (bytes: Uint8Array) => decodeImage(bytes, 0, { pixels: 50e6 })

interface Raw {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint16Array
  readonly channels: 1 | 2 | 3 | 4
}

const png = ({ data, ...raw }: Raw): Promise<Buffer> =>
  (data instanceof Uint16Array ? sharp(data, { raw }).toColourspace('grey16') : sharp(data, { raw })).png().toBuffer()

/** A photograph of two halves, the left one dark, with an orientation. */
const photograph = (orientation: number): Promise<Buffer> => {
  const halves = Uint8Array.from({ length: 3 * 32 * 16 }, (_, at) => (Math.floor(at / 3) % 32 < 16 ? 0 : 255))
  const raw = { width: 32, height: 16, channels: 3 } as const
  return sharp(halves, { raw }).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
}

const whole = await png({ width, height, data, channels: 3 })
const huge = Uint8Array.from(whole)
new DataView(huge.buffer).setUint32(16, 100_000)
new DataView(huge.buffer).setUint32(20, 100_000)
const head = (await photograph(1)).subarray(0, 100)

describe('an image file', () => {
  it('gives the pixels of a PNG', async () => {
    const { data: pixels, ...size } = await pixelsOf(await png({ width, height, data, channels: 3 }))
    expect({ ...size, data: Uint8Array.from(pixels) }).to.deep.equal({ width, height, data })
  })

  for (const [what, channels, values, expected] of [
    ['grey', 1, [0, 100], [0, 0, 0, 100, 100, 100]],
    ['grey and transparent, on white', 2, [0, 255, 0, 0], [0, 0, 0, 255, 255, 255]],
    ['transparent, on white', 4, [10, 20, 30, 255, 10, 20, 30, 0], [10, 20, 30, 255, 255, 255]],
  ] as const)
    it(`gives those that are ${what}`, async () => {
      const bytes = await png({ width: 2, height: 1, data: Uint8Array.from(values), channels })
      expect([...(await pixelsOf(bytes)).data]).to.deep.equal(expected)
    })

  it('gives those of 16 bits', async () => {
    const values = Uint16Array.from([0, 65535, 32768])
    const bytes = await png({ width: 3, height: 1, data: values, channels: 1 })
    expect([...(await pixelsOf(bytes)).data].filter((_, at) => at % 3 === 0)).to.deep.equal([0, 255, 128])
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
    it(`is turned as a photograph says: orientation ${orientation}`, async () => {
      const image = await pixelsOf(await photograph(orientation))
      const at = (x: number, y: number) => image.data[3 * (y * image.width + x)]! < 128
      const [right, bottom] = [image.width - 2, image.height - 2]
      const sides = {
        left: at(1, bottom / 2),
        right: at(right, bottom / 2),
        top: at(right / 2, 1),
        bottom: at(right / 2, bottom),
      }
      const lying = image.width > image.height
      expect(lying).to.equal(dark === 'left' || dark === 'right')
      expect(sides[dark]).to.equal(true)
      expect(sides[({ left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const)[dark]]).to.equal(false)
    })

  for (const [what, bytes] of [
    ['empty', new Uint8Array()],
    ['no image', Uint8Array.from([1, 2, 3])],
    ['a PNG that is cut off', whole.subarray(0, 60)],
    ['the head of a PNG', whole.subarray(0, 10)],
    ['the head of a JPEG', head],
    ['a PNG that says it has ten thousand million pixels', huge],
  ] as const)
    it(`is refused where it is ${what}`, async () => {
      const refusal: unknown = await pixelsOf(bytes).catch((error: unknown) => error)
      expect(refusal).to.be.instanceOf(Error)
      if (bytes === huge) expect((refusal as Error).message).to.contain('at most 50 million')
    })
})
