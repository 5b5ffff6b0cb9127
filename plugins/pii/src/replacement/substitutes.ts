import type { ReplaceMethod } from '@sallyport/core'
import { originalReading, rewritten } from '@sallyport/kit/views'
import type { View } from '@sallyport/kit/views'
import type { CompiledRecognizer } from '../matching/compiled.js'
import { fakeOf } from './fakes/index.js'
import { plainIp } from './fakes/network.js'
import { sameShape } from '../random/same-shape.js'
import { Randomness } from '../random/randomness.js'

/** How many substitutes are tried until one differs from the original. */
const attempts = 8

/** Types that are also found across tags of HTML. */
const typesAcrossTags: ReadonlySet<string> = new Set(['CREDIT_CARD', 'IBAN_CODE', 'US_SSN', 'EMAIL_ADDRESS'])

const elementOrSpace = /<(?:\/?[a-zA-Z][^<>@]{0,96}|!--[^<>@]{0,96}--)>|\s+/g

/** A view of the text without tags and whitespace. */
const untagged = (text: string): View => {
  const unchanged = originalReading(text)
  const spans = Array.from(
    text.matchAll(elementOrSpace),
    ({ 0: { length }, index }) => [index, index + length] as const,
  )
  return (
    rewritten(
      unchanged,
      spans.map(([start, end]) => ({ start, end, replacement: '' })),
    ) ?? unchanged
  )
}

/** Puts a substitute into the text around its tags, where it has the same length as before. */
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

  of(original: string, type: string, method: ReplaceMethod, tenant: string): string {
    if (method === 'mask') return '*'
    if (method === 'category') return `<${type}>`
    if (typesAcrossTags.has(type) && original.includes('<')) {
      const untaggedView = untagged(original)
      if (untaggedView.text !== original)
        return keepTags(original, untaggedView, this.of(untaggedView.text, type, method, tenant))
    }
    const recognizers = this.recognizers.get(type) ?? []
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      // Different spellings of a value get the same substitute.
      const written = (type === 'IP_ADDRESS' ? plainIp(original) : original).toLowerCase()
      const random = new Randomness(this.key, tenant, type, written, String(attempt))
      const substitute = method === 'fake' ? fakeOf(original, type, random, recognizers) : sameShape(original, random)
      if (substitute.toLowerCase() !== original.toLowerCase()) return substitute
    }
    return '*'.repeat(original.length === 1 && original === '*' ? 2 : original.length)
  }
}
