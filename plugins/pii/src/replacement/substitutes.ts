import type { ReplaceMethod } from '@sallyport/core'
import type { CompiledRecognizer } from '../matching/compiled.js'
import { untagged } from '../patterns/tagged.js'
import { fakeOf } from './fakes/index.js'
import { plainIp } from './fakes/network.js'
import { ofSameShape } from './random.js'
import { Randomness } from './randomness.js'

/** Values that were tried before one is given up that is not the original. */
const attempts = 8

/** What is found over elements of HTML, too. */
const overTags: ReadonlySet<string> = new Set(['CREDIT_CARD', 'IBAN_CODE', 'US_SSN', 'EMAIL_ADDRESS'])

/** Elements stay as they are around what is as long as before. */
const inPlacesOf = (original: string, places: readonly number[], substitute: string): string => {
  if (substitute.length !== places.length) return substitute
  const units = original.split('')
  places.forEach((place, at) => (units[place] = substitute.charAt(at)))
  return units.join('')
}

/** What stands for originals: the same for the same original, type and tenant, as long as the key is the same. */
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
    if (overTags.has(type) && original.includes('<')) {
      const { text, places } = untagged(original)
      if (text !== original) return inPlacesOf(original, places, this.of(text, type, method, tenant))
    }
    const recognizers = this.recognizers.get(type) ?? []
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      // However it is written, it is the same one.
      const written = (type === 'IP_ADDRESS' ? plainIp(original) : original).toLowerCase()
      const random = new Randomness(this.key, tenant, type, written, String(attempt))
      const substitute = method === 'fake' ? fakeOf(original, type, random, recognizers) : ofSameShape(original, random)
      if (substitute.toLowerCase() !== original.toLowerCase()) return substitute
    }
    return '*'.repeat(original.length === 1 && original === '*' ? 2 : original.length)
  }
}
