import { expect } from 'chai'
import fc from 'fast-check'
import { boundingBox, convexHull, corners, deskewed, smallestRectangle } from '../../src/ocr/pp-ocr/rectangle.js'
import type { Rectangle } from '../../src/ocr/pp-ocr/rectangle.js'
import { regionsOf } from '../../src/ocr/pp-ocr/regions.js'
import { resample } from '../../src/ocr/pp-ocr/resample.js'
import { cutsOf, partsOf } from '../../src/ocr/pp-ocr/cuts.js'
import { rotated } from '../../src/ocr/engine.js'
import { blank, noise } from './support/drawn-text.js'

const side = fc.double({ min: 5, max: 300, noNaN: true })
const rectangles: fc.Arbitrary<Rectangle> = fc.record({
  x: side,
  y: side,
  width: side,
  height: side,
  angle: fc.double({ min: -Math.PI / 4 + 0.01, max: Math.PI / 4 - 0.01, noNaN: true }),
})
const points = fc.array(fc.record({ x: fc.integer({ max: 50, min: 0 }), y: fc.integer({ max: 50, min: 0 }) }), {
  minLength: 1,
})

const expectClose = (actual: Rectangle, expected: Rectangle) => {
  for (const key of ['x', 'y', 'width', 'height', 'angle'] as const)
    expect(actual[key], key).to.be.closeTo(expected[key], 1e-6)
}

describe('a rectangle of text', () => {
  it('is found again from its corners', () => {
    fc.assert(fc.property(rectangles, (one) => expectClose(smallestRectangle(convexHull(corners(one))), one)))
  })

  it('holds all points that it was made for', () => {
    fc.assert(
      fc.property(points, (all) => {
        const { x, y, width, height, angle } = smallestRectangle(convexHull(all))
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
        for (const point of all) {
          const [dx, dy] = [point.x - x, point.y - y]
          expect(Math.abs(dx * cos + dy * sin)).to.be.at.most(width / 2 + 1e-6)
          expect(Math.abs(dy * cos - dx * sin)).to.be.at.most(height / 2 + 1e-6)
        }
      }),
    )
  })

  it('has a box of whole pixels inside the image', () => {
    fc.assert(
      fc.property(
        rectangles,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 200 }),
        (one, width, height) => {
          const box = boundingBox(one, { width, height })
          expect(Object.values(box).every(Number.isInteger)).to.equal(true)
          expect(Math.min(box.left, box.top)).to.be.at.least(0)
          expect(Math.min(box.width, box.height)).to.be.at.least(1)
          expect(box.left + box.width).to.be.at.most(width)
          expect(box.top + box.height).to.be.at.most(height)
        },
      ),
    )
  })

  it('lies straight where the page is not skewed', () => {
    const box = deskewed({ x: 50, y: 20, width: 40, height: 10, angle: 0 }, 0)
    expect(box).to.deep.equal({ left: 30, top: 15, width: 40, height: 10 })
  })

  it('is cut into parts that cover it, each short enough', () => {
    const strip = resample(
      noise(900, 48),
      { x: 450, y: 24, width: 900, height: 48, angle: 0 },
      2600,
      48,
      [255, 255, 255],
    )
    const cuts = cutsOf(strip, 1000)
    const parts = partsOf({ x: 450, y: 24, width: 900, height: 48, angle: 0.3 }, cuts, 2600)
    expect(parts.reduce((sum, { width }) => sum + width, 0)).to.be.closeTo(900, 1e-6)
    for (const { width } of parts) expect((width / 900) * 2600).to.be.within(1, 1000)
    expect(cutsOf(strip, 2600)).to.deep.equal([])
  })
})

describe('pixels', () => {
  it('are turned by quarters, four of which change nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), (width, height) => {
        const image = noise(width, height)
        const once = rotated(image, 1)
        expect([once.width, once.height]).to.deep.equal([height, width])
        expect(once.data.subarray(3 * (height - 1), 3 * height)).to.deep.equal(image.data.subarray(0, 3))
        expect(rotated(once, 1)).to.deep.equal(rotated(image, 2))
        expect(rotated(rotated(once, 1), 1)).to.deep.equal(rotated(image, 3))
        expect(rotated(rotated(image, 3), 1)).to.deep.equal(image)
      }),
    )
  })

  it('are those of the image where a sample is as large, in three planes of blue, green and red', () => {
    const image = noise(6, 4)
    const { values } = resample(image, { x: 3, y: 2, width: 6, height: 4, angle: 0 }, 6, 4, [0, 0, 0])
    for (let pixel = 0; pixel < 24; pixel++)
      for (const channel of [0, 1, 2])
        expect((values[pixel + 24 * (2 - channel)]! + 1) * 127.5).to.be.closeTo(image.data[3 * pixel + channel]!, 1e-3)
  })

  it('beyond the image have the colour that is given, and a mean is taken where a sample is smaller', () => {
    const outside = resample(blank(4, 4, 0), { x: 100, y: 100, width: 4, height: 4, angle: 0.2 }, 2, 2, [255, 255, 255])
    for (const value of outside.values) expect(value).to.be.closeTo(1, 1e-5)
    const stripes = { width: 4, height: 1, data: Uint8Array.from([0, 0, 0, 255, 255, 255, 0, 0, 0, 255, 255, 255]) }
    const { values } = resample(stripes, { x: 2, y: 0.5, width: 4, height: 1, angle: 0 }, 2, 1, [0, 0, 0])
    for (const value of values) expect(value).to.be.closeTo(0, 1e-5)
  })
})

describe('regions of text', () => {
  const map = (inside: (x: number, y: number) => boolean) => ({
    width: 200,
    height: 100,
    data: Float32Array.from({ length: 20_000 }, (_, at) => (inside(at % 200, Math.floor(at / 200)) ? 0.9 : 0.01)),
  })

  it('grow from the cores that the detector marks', () => {
    const [only, ...others] = regionsOf(map((x, y) => x >= 20 && x < 180 && y >= 45 && y < 55))
    expect(others).to.deep.equal([])
    const distance = (1.6 * 160 * 10) / (2 * 170)
    expectClose(only!, { x: 100, y: 50, width: 160 + 2 * distance, height: 10 + 2 * distance, angle: 0 })
  })

  it('have the slope of their line', () => {
    const slope = Math.tan(0.1)
    const [only] = regionsOf(map((x, y) => x >= 20 && x < 180 && Math.abs(y - 40 - (x - 20) * slope) < 6))
    expect(only!.angle).to.be.closeTo(0.1, 0.02)
  })

  it('are not specks, nor where text is hardly probable', () => {
    expect(regionsOf(map((x, y) => x % 10 === 0 && y % 10 === 0))).to.deep.equal([])
    const weak = map((x, y) => x >= 20 && x < 180 && y >= 45 && y < 55)
    expect(regionsOf({ ...weak, data: weak.data.map((value) => value * 0.5) })).to.deep.equal([])
  })
})
