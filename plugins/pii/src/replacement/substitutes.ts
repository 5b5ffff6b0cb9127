import type { ReplaceMethod } from '@sallyport/core'
import { originalReading, rewritten } from '@sallyport/kit/views'
import type { View } from '@sallyport/kit/views'
import type { CompiledRecognizer } from '../matching/compiled.js'
import { searchesEncoded } from '../matching/encoded.js'
import { fakeOf, isOrdinary } from './fakes/index.js'
import { plainIp } from './fakes/network.js'
import { sameShape } from '../random/same-shape.js'
import { Randomness } from '../random/randomness.js'

/** How many substitutes are tried until one differs from the original. */
const attempts = 8

const elementOrSpace = /<(?:\/?[a-zA-Z][^<>@]{0,96}|!--[^<>@]{0,96}--)>|\s+/g

/** A view of the text without tags and whitespace; undefined where there are none. */
const withoutTags = (text: string): View | undefined => {
  const matches = [...text.matchAll(elementOrSpace)]
  const edits = matches.map(({ 0: { length }, index }) => ({ start: index, end: index + length, replacement: '' }))
  return rewritten(originalReading(text), edits)
}

/** Puts a substitute between the tags of the original, where it has the length of their text. */
const keepTags = (original: string, { text, sourceOf }: View, substitute: string): string => {
  if (substitute.length !== text.length) return substitute
  const units = original.split('')
  for (let at = 0; at < text.length; at += 1) units[sourceOf({ start: at, end: at + 1 }).start] = substitute.charAt(at)
  return units.join('')
}

/** Makes substitutes: always the same for the same original, type, tenant and key. */
export class Substitutes {
  private readonly recognizers = new Map<string, CompiledRecognizer[]>()

  constructor(
    private readonly key: Uint8Array,
    recognizers: readonly CompiledRecognizer[],
  ) {
    for (const one of recognizers) {
      const { entity } = one.recognizer
      this.recognizers.set(entity, [...(this.recognizers.get(entity) ?? []), one])
    }
  }

  /**
   * @param avoid where originals will be put back: what the substitute must not be, where another can be made
   * @returns asterisks where none can be made
   */
  make(original: string, type: string, method: ReplaceMethod, tenant: string, avoid?: readonly string[]): string {
    if (method === 'mask') return '*'
    if (method === 'category') return `<${type}>`
    const recognizers = this.recognizers.get(type) ?? []
    const mayHaveTags = original.includes('<') && recognizers.some(searchesEncoded)
    const plain = mayHaveTags ? withoutTags(original) : undefined
    if (plain) {
      const others = avoid?.flatMap((one) => [one, withoutTags(one)?.text ?? one])
      return keepTags(original, plain, this.make(plain.text, type, method, tenant, others))
    }
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      // Different spellings of a value get the same substitute.
      const spelling = (type === 'IP_ADDRESS' ? plainIp(original) : original).toLowerCase()
      const random = new Randomness(this.key, tenant, type, spelling, String(attempt))
      const substitute = method === 'fake' ? fakeOf(original, type, random, recognizers) : sameShape(original, random)
      const isAvoided = avoid && (avoid.includes(substitute) || isOrdinary(substitute, original, type))
      if (substitute.toLowerCase() !== original.toLowerCase() && !isAvoided) return substitute
    }
    return original === '*' ? '**' : '*'.repeat(original.length)
  }
}
