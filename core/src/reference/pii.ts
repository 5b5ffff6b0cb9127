import { createHmac } from 'node:crypto'
import { inject, injectable } from 'tsyringe'
import type { Call } from '../capabilities/call.js'
import type { PiiCapability, Replacement, ReplaceMethod, ReplaceRequest } from '../capabilities/pii.js'
import type { Finding, InspectionRequest } from '../capabilities/safeguard.js'
import { options } from '../kernel/tokens.js'
import { matches, SpanDetector } from './detector.js'
import { luhn } from './luhn.js'
import { pause } from './options.js'
import type { ReferenceOptions } from './options.js'

/** Bounded repetition: linear time on any text. */
const email = /(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,4}[a-z]{2,24}(?![\w-])/giu
const cardNumber = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/gu

/** Finds e-mail addresses and card numbers. */
@injectable()
export class PatternPii extends SpanDetector implements PiiCapability {
  constructor(@inject(options) options: ReferenceOptions) {
    super(options, 'pattern-pii')
  }

  protected find({ text }: InspectionRequest): Finding[] {
    const cards = matches(text, cardNumber, 'CREDIT_CARD', 0.95)
    return [
      ...matches(text, email, 'EMAIL_ADDRESS', 1),
      ...cards.filter(({ start, end }) => luhn(text.slice(start, end)) === 0),
    ].sort((a, b) => a.start - b.start)
  }

  async replace({ text, findings, method }: ReplaceRequest, call: Call): Promise<Replacement> {
    await pause(this.options, call)
    const result: Replacement = { text: '', spans: [] }
    let copied = 0
    for (const { start, end, type } of withoutOverlaps(findings, text.length)) {
      const substitute = replacement[method](text.slice(start, end), type, call.tenant)
      result.text += text.slice(copied, start)
      result.spans.push({ start: result.text.length, end: result.text.length + substitute.length, type })
      result.text += substitute
      copied = end
    }
    result.text += text.slice(copied)
    return result
  }
}

/**
 * Of overlapping findings the longest, then the best score, stays. What overlaps one that is at least as long has its
 * first or its last character inside.
 */
const withoutOverlaps = (findings: readonly Finding[], length: number): Finding[] => {
  const taken = new Uint8Array(length)
  const byRank = [...findings].sort((a, b) => b.end - b.start - (a.end - a.start) || b.score - a.score)
  const kept = byRank.filter(({ start, end }) => {
    if (taken[start] || taken[end - 1]) return false
    taken.fill(1, start, end)
    return true
  })
  return kept.sort((a, b) => a.start - b.start)
}

const replacement: Record<ReplaceMethod, (original: string, type: string, tenant: string) => string> = {
  mask: () => '*',
  category: (_, type) => `<${type}>`,
  random: (original, type, tenant) => ofSameShape(original, `${tenant}\0${type}\0${original}`),
  fake: (original, type, tenant) => {
    const other = ofSameShape(original, `${tenant}\0${type}\0${original}`)
    if (type === 'CREDIT_CARD') return withCheckDigit(other)
    return type === 'EMAIL_ADDRESS' ? other.replace(/@.*$/u, '@example.com') : other
  },
}

/** Letters for letters, digits for digits; the same for the same key. */
const ofSameShape = (original: string, key: string): string => {
  let position = 0
  const pick = (characters: string) => {
    const byte = createHmac('sha256', key).update(String(position++)).digest()[0] ?? 0
    return characters[byte % characters.length] ?? ''
  }
  return original
    .replaceAll(/\p{Lu}/gu, () => pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ'))
    .replaceAll(/\p{Ll}/gu, () => pick('abcdefghijklmnopqrstuvwxyz'))
    .replaceAll(/\d/gu, () => pick('0123456789'))
}

const withCheckDigit = (number: string): string => {
  const body = number.slice(0, -1)
  return `${body}${(10 - luhn(`${body}0`)) % 10}`
}
