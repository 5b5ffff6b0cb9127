import { createHash } from 'node:crypto'
import { inject, injectable } from 'tsyringe'
import { options } from '@sallyport/core'
import type { Call, Finding, InspectionRequest, OpenSpan, SpanDetector } from '@sallyport/core'
import type { Replacement, ReplaceMethod, ReplaceRequest } from '@sallyport/core'
import { yieldToOthers, pause } from './backend.js'
import type { ReferenceOptions } from './backend.js'
import { inspectionOf, matches } from './detectors.js'

/** Bounded repetition: linear time on any text. */
const email = /(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,4}[a-z]{2,24}(?![\w-])/giu
const cardNumber = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/gu

/** UTF-16 code units of the longest e-mail address. */
const maxMatch = 345

/** Matches, at the end of a text, what could still become an address or a card number. */
const openEmail = /[\w.+@-]+$/u
const openCardNumber = /\d(?:[ -]?\d){0,18}[ -]?$/u

/** Replacements between two pauses that let other work run. */
const replacementsPerTurn = 4096

/** Finds e-mail addresses and card numbers. */
@injectable()
export class PatternPii implements SpanDetector {
  constructor(@inject(options) private readonly options: ReferenceOptions) {}

  async inspect({ text }: InspectionRequest, call: Call) {
    await pause(this.options, call)
    return inspectionOf('pattern-pii', () => find(text))
  }

  openSpans({ text }: { text: string }): Promise<{ spans: OpenSpan[] }> {
    const from = Math.max(0, text.length - maxMatch)
    const growing = [openEmail, openCardNumber].flatMap((pattern) => {
      const start = text.slice(from).search(pattern)
      return start < 0 ? [] : [{ start: from + start, end: text.length }]
    })
    return Promise.resolve({ spans: [...find(text).map(({ start, end }) => ({ start, end })), ...growing] })
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
      if (result.spans.length % replacementsPerTurn === 0) await yieldToOthers(call)
    }
    result.text += text.slice(copied)
    return result
  }
}

const find = (text: string): Finding[] => {
  const cards = matches(text, cardNumber, 'CREDIT_CARD', 0.95)
  return [
    ...matches(text, email, 'EMAIL_ADDRESS', 1),
    ...cards.filter(({ start, end }) => luhn(text.slice(start, end)) === 0),
  ].sort((a, b) => a.start - b.start)
}

/**
 * Of overlapping findings keeps the longest, then that with the highest score. A finding that overlaps another at least
 * as long has its first or last character inside it.
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
  remove: () => '',
  mask: () => '*',
  category: (_, type) => `<${type}>`,
  random: (original, type, tenant) => withSameShape(original, `${tenant}\0${type}\0${original}`),
  fake: (original, type, tenant) => {
    const other = withSameShape(original, `${tenant}\0${type}\0${original}`)
    if (type === 'CREDIT_CARD') return withCheckDigit(other)
    return type === 'EMAIL_ADDRESS' ? other.replace(/@.*$/u, '@example.com') : other
  },
}

/** Replaces letters by letters and digits by digits, which depend on the key alone. */
const withSameShape = (original: string, key: string): string => {
  const nextByte = bytesFrom(key)
  return original.replaceAll(/\p{Lu}|\p{Ll}|\d/gu, (character) => {
    const alphabet = /\d/.test(character) ? digits : /\p{Lu}/u.test(character) ? letters.toUpperCase() : letters
    return alphabet[nextByte() % alphabet.length] ?? ''
  })
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'

/** A generator of pseudo-random bytes, which depend on the key alone. */
const bytesFrom = (key: string): (() => number) => {
  let block = Buffer.alloc(0)
  let blocks = 0
  let next = 0
  return () => {
    if (next === block.length) {
      block = createHash('sha256').update(`${key}\0${blocks}`).digest()
      blocks += 1
      next = 0
    }
    return block[next++] ?? 0
  }
}

/** The remainder of Luhn's sum: 0 for a valid number. */
export const luhn = (number: string): number => {
  const digits = (number.match(/\d/g) ?? []).map(Number).reverse()
  const weighted = digits.map((digit, position) => (position % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2))
  return weighted.reduce((sum, digit) => sum + digit, 0) % 10
}

const withCheckDigit = (number: string): string => {
  const body = number.slice(0, -1)
  return `${body}${(10 - luhn(`${body}0`)) % 10}`
}
