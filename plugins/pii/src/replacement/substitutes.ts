import type { ReplaceMethod } from '@sallyport/core'
import type { CompiledRecognizer } from '../matching/compiled.js'
import { fakeOf } from './fakes/index.js'
import { plainIp } from './fakes/network.js'
import { ofSameShape } from './random.js'
import { Randomness } from './randomness.js'

/** Values that were tried before one is given up that is not the original. */
const attempts = 8

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
