import { maxOf } from '@sallyport/kit/lists'
import type { Call, InferenceCapability, Served } from '@sallyport/core'
import type { Raster } from '../../raster.js'
import { edgeColour } from '../engine.js'
import { decodeCtc, noText } from './ctc.js'
import type { DecodedLine } from './ctc.js'
import { cutsOf, partsOf } from './cuts.js'
import type { Rectangle } from './rectangle.js'
import { floatsOf, floatTensor, resample } from './resample.js'
import type { Colour, Planes } from './resample.js'

/** Lines are squeezed to this share of their width, which is faster. */
const widthScale = 0.8
/** Max columns of pixels per evaluation, with padding. */
const maxColumns = 2400
/** The height of the model's input. */
const lineHeight = 48
const minColumns = 32

/** Joins the parts of a line that was cut between words. */
const joinParts = (parts: readonly DecodedLine[]): DecodedLine => {
  const [first = noText, ...others] = parts.filter(({ text }) => text !== '')
  if (others.length === 0) return first
  const all = [first, ...others]
  const count = all.reduce((sum, { text }) => sum + text.length, 0)
  return {
    text: all.map(({ text }) => text.trim()).join(' '),
    confidence: all.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / count,
  }
}

/** Reads detected lines of text. */
export class Recogniser {
  private characters: Promise<readonly string[]> | undefined

  constructor(private readonly model: () => Served<InferenceCapability>) {}

  /** Reads the text in each rectangle, in their order. */
  async read(image: Raster, lines: readonly Rectangle[], call: Call): Promise<DecodedLine[]> {
    if (lines.length === 0) return []
    const background = edgeColour(image)
    const parts = lines.map((line) => partsIn(image, line, background))
    const read = (await this.readParts(image, parts.flat(), background, call)).values()
    return parts.map((line) => joinParts(line.map(() => read.next().value ?? noText)))
  }

  private async readParts(image: Raster, lines: readonly Rectangle[], background: Colour, call: Call) {
    const characters = await this.alphabet(call)
    const results: DecodedLine[] = lines.map(() => noText)
    for (const batch of batches(lines)) {
      call.signal.throwIfAborted()
      const strips = batch.map(({ line, width }) => resample(image, line, width, lineHeight, background))
      const output = await this.evaluate(strips, call)
      const size = output.length / batch.length
      for (const [place, { index }] of batch.entries())
        results[index] = decodeCtc(output.subarray(place * size, (place + 1) * size), characters)
    }
    return results
  }

  private async evaluate(strips: readonly Planes[], call: Call): Promise<Float32Array> {
    const width = maxOf(strips.map((strip) => strip.width))
    const rows = 3 * lineHeight
    const values = new Float32Array(strips.length * rows * width)
    for (const [place, strip] of strips.entries())
      for (let row = 0; row < rows; row++)
        values.set(strip.values.subarray(row * strip.width, (row + 1) * strip.width), (place * rows + row) * width)
    const inputs = { x: floatTensor([strips.length, 3, lineHeight, width], values) }
    const [output] = Object.values((await this.model().run({ inputs }, call)).outputs)
    if (!output) throw new TypeError('the recogniser has no output')
    return floatsOf(output)
  }

  private alphabet(call: Call): Promise<readonly string[]> {
    this.characters ??= this.readAlphabet(call).catch((error: unknown) => {
      this.characters = undefined
      throw error
    })
    return this.characters
  }

  private async readAlphabet(call: Call): Promise<readonly string[]> {
    const { metadata } = await this.model().signature({}, call)
    const characters = metadata?.['character']?.split('\n')
    if (!characters) throw new TypeError('the recogniser does not say its characters')
    return [...characters, ' ']
  }
}

/** Batches of lines with similar widths. */
function* batches(lines: readonly Rectangle[]) {
  const waiting = lines.map((line, index) => ({ line, index, width: widthOf(line) })).sort((a, b) => a.width - b.width)
  while (waiting.length > 0) {
    const widest = waiting[waiting.length - 1]?.width ?? 1
    const count = Math.max(1, Math.floor(maxColumns / widest))
    yield waiting.splice(Math.max(0, waiting.length - count))
  }
}

const partsIn = (image: Raster, line: Rectangle, background: Colour): Rectangle[] => {
  const width = widthOf(line)
  if (width <= maxColumns) return [line]
  return partsOf(line, cutsOf(resample(image, line, width, lineHeight, background), maxColumns), width)
}

const widthOf = ({ width, height }: Rectangle): number =>
  Math.max(minColumns, Math.ceil(((lineHeight * width) / height) * widthScale))
