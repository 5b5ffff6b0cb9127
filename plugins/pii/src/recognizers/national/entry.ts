import { inRows } from '../../patterns/beside-numbers.js'
import type { Recognizer } from '../recognizer.js'

/** Words for national numbers in general. */
const general = [
  'national id',
  'identity number',
  'identity card',
  'id number',
  'id card',
  'personal number',
  'tax id',
  'tax number',
  'taxpayer',
  'citizen number',
  'identification number',
]

interface Entry extends Omit<Recognizer, 'patterns'> {
  /** Each with its score; apart from what stands around it. */
  readonly shapes: Readonly<Record<string, number>>
}

/** A recogniser of a number that stands alone. */
export const nationalId = ({ shapes, context = [], ...rest }: Entry): Recognizer => ({
  ...rest,
  context: [...context, ...general],
  patterns: Object.entries(shapes).map(([shape, score]) => ({
    regex: inRows(shape, 'iu'),
    score,
  })),
})

/** A number of so many digits without anything between them is much else: it is found in context only. */
export const inContext = 0.1
