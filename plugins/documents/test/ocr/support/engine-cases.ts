import { expect } from 'chai'
import { testCall } from '@sallyport/testing'
import type { OcrEngine, QuarterTurns } from '../../../src/ocr/engine.js'
import { rotated } from '../../../src/ocr/engine.js'
import { blank, drawnText, noise } from './drawn-text.js'

const text = ['THE SUN IS OUT AGAIN', 'AND THE SHOP IS OPEN', 'ALL OF THE SUMMER', 'WITH FRESH GREENS']

/** What every engine does with images, easy ones and odd ones. */
export const engineCases = (engine: () => OcrEngine): void => {
  for (const quarters of [0, 1, 2, 3] as QuarterTurns[])
    it(`reads text that was turned by ${90 * quarters} degrees, and tells where it would be upright`, async () => {
      const upright = drawnText(text)
      const lines = await engine().read(rotated(upright, quarters), testCall())
      expect(lines.map((line) => line.text)).to.deep.equal(text)
      for (const { box, confidence } of lines) {
        expect(confidence).to.be.within(0.5, 1)
        expect(box.left).to.be.within(0, 60)
        expect(box.left + box.width).to.be.within(upright.width / 2, upright.width)
      }
      const tops = lines.map(({ box }) => box.top)
      expect(tops).to.deep.equal([...tops].sort((a, b) => a - b))
    })

  it('finds nothing on a blank page', async () => {
    for (const level of [0, 128, 255]) expect(await engine().read(blank(300, 200, level), testCall())).to.deep.equal([])
  })

  for (const [width, height] of [
    [1, 1],
    [1, 300],
    [300, 1],
    [2, 2],
  ] as const)
    it(`finds nothing on ${width} × ${height} pixels`, async () => {
      expect(await engine().read(noise(width, height), testCall())).to.deep.equal([])
    })

  it('lives through noise', async () => {
    const lines = await engine().read(noise(400, 300), testCall())
    for (const { confidence } of lines) expect(confidence).to.be.within(0, 1)
  })

  it('reads a very wide image', async () => {
    const words = Array.from({ length: 40 }, (_, index) => ['SUMMER', 'GREENS', 'OPEN', 'SHOP'][index % 4])
    const lines = await engine().read(drawnText([words.join(' ')]), testCall())
    const read = lines.flatMap((line) => line.text.split(' '))
    expect(read.filter((word) => words.includes(word)).length).to.be.at.least(36)
  })

  it('refuses bytes that are not those of the size', async () => {
    const error = await engine()
      .read({ width: 10, height: 10, data: new Uint8Array(299) }, testCall())
      .then(() => undefined, String)
    expect(error).to.contain('no image of 10 × 10 pixels')
  })

  it('does nothing for a call that was aborted', async () => {
    const reason = new Error('gone')
    const call = testCall({ signal: AbortSignal.abort(reason) })
    const error: unknown = await engine()
      .read(drawnText(text), call)
      .catch((cause: unknown) => cause)
    expect(error).to.equal(reason)
  })

  it('stops when it is aborted, and reads the next image', async () => {
    const abort = new AbortController()
    const reading = engine().read(drawnText(text), testCall({ signal: abort.signal }))
    const reason = new Error('gone')
    setTimeout(() => abort.abort(reason), 50)
    expect(await reading.catch((cause: unknown) => cause)).to.equal(reason)
    const next = await engine().read(drawnText(['SUMMER GREENS']), testCall())
    expect(next.map((line) => line.text).join(' ')).to.equal('SUMMER GREENS')
  })
}
