import { maxOf } from '@sallyport/kit/lists'
import type { Call, InferenceCapability, Served } from '@sallyport/core'
import type { Raster } from '../../raster.js'
import { edgeColour } from '../engine.js'
import { decodeCtc } from './ctc.js'
import type { Decoded } from './ctc.js'
import { cutsOf, partsOf } from './cuts.js'
import type { Rectangle } from './rectangle.js'
import { floatsOf, floatTensor, sample } from './sample.js'
import type { Colour, Planes } from './sample.js'

/** Width of a line, beside that of its rectangle; below 1 it is squeezed, which is faster. */
const stretch = 0.8
/** Columns of pixels of one evaluation, padding included. */
const maxColumns = 2400
/** The height of the lines that the model reads. */
const lineHeight = 48
const narrowest = 32

const nothing: Decoded = { text: '', confidence: 0 }

/** Parts of one line, which was cut between words. */
const joined = (parts: readonly Decoded[]): Decoded => {
  const [first = nothing, ...others] = parts.filter(({ text }) => text !== '')
  if (others.length === 0) return first
  const all = [first, ...others]
  const count = all.reduce((sum, { text }) => sum + text.length, 0)
  return {
    text: all.map(({ text }) => text.trim()).join(' '),
    confidence: all.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / count,
  }
}

/** Reads lines of text that were found on an image. */
export class Recogniser {
  private characters: Promise<readonly string[]> | undefined

  constructor(private readonly model: () => Served<InferenceCapability>) {}

  /** What stands in each rectangle, in their order. */
  async read(image: Raster, lines: readonly Rectangle[], call: Call): Promise<Decoded[]> {
    if (lines.length === 0) return []
    const beyond = edgeColour(image)
    const parts = lines.map((line) => partsIn(image, line, beyond))
    const read = (await this.readParts(image, parts.flat(), beyond, call)).values()
    return parts.map((of) => joined(of.map(() => read.next().value ?? nothing)))
  }

  private async readParts(image: Raster, lines: readonly Rectangle[], beyond: Colour, call: Call): Promise<Decoded[]> {
    const characters = await this.alphabet(call)
    const results: Decoded[] = lines.map(() => nothing)
    for (const batch of batches(lines)) {
      call.signal.throwIfAborted()
      const strips = batch.map(({ line, width }) => sample(image, line, width, lineHeight, beyond))
      const output = await this.evaluate(strips, call)
      const size = output.length / batch.length
      for (const [place, { index }] of batch.entries())
        results[index] = decodeCtc(output.subarray(place * size, (place + 1) * size), characters)
    }
    return results
  }

  private async evaluate(strips: readonly Planes[], call: Call): Promise<Float32Array> {
    const width = maxOf(strips.map((strip) => strip.width))
    const values = new Float32Array(strips.length * 3 * lineHeight * width)
    for (const [place, strip] of strips.entries())
      for (let row = 0; row < 3 * lineHeight; row++)
        values.set(
          strip.values.subarray(row * strip.width, (row + 1) * strip.width),
          (place * 3 * lineHeight + row) * width,
        )
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

/** Lines of like width together. */
function* batches(lines: readonly Rectangle[]) {
  const waiting = lines.map((line, index) => ({ line, index, width: widthOf(line) })).sort((a, b) => a.width - b.width)
  while (waiting.length > 0) {
    const widest = waiting[waiting.length - 1]?.width ?? 1
    const count = Math.max(1, Math.floor(maxColumns / widest))
    yield waiting.splice(Math.max(0, waiting.length - count))
  }
}

const partsIn = (image: Raster, line: Rectangle, beyond: Colour): Rectangle[] => {
  const width = widthOf(line)
  if (width <= maxColumns) return [line]
  return partsOf(line, cutsOf(sample(image, line, width, lineHeight, beyond), maxColumns), width)
}

const widthOf = ({ width, height }: Rectangle): number =>
  Math.max(narrowest, Math.ceil(((lineHeight * width) / height) * stretch))
