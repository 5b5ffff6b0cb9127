/** Reads the linear part of ECMAScript's regular expressions with the flag `u`, as JSON Schema patterns have it. */

import { anyCharacter, complement, intersect, lineTerminators, unite } from './code-points.js'
import type { CodePoints } from './code-points.js'
import {
  classes,
  controlCharacter,
  escapes,
  hexadecimal,
  onlyOne,
  single,
  syntaxCharacters,
  UnsupportedPattern,
} from './escapes.js'

export type Regex =
  | { readonly kind: 'characters'; readonly set: CodePoints }
  | { readonly kind: 'sequence'; readonly items: readonly Regex[] }
  | { readonly kind: 'choice'; readonly items: readonly Regex[] }
  | { readonly kind: 'repeat'; readonly item: Regex; readonly least: number; readonly most: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }

const maxNesting = 64

export const parseRegex = (pattern: string): Regex => new RegexParser(pattern).parse()

class RegexParser {
  private readonly chars: readonly string[]
  private at = 0
  private depth = 0

  constructor(pattern: string) {
    this.chars = Array.from(pattern)
  }

  parse(): Regex {
    const regex = this.alternatives()
    if (this.at < this.chars.length) throw new UnsupportedPattern()
    return regex
  }

  private alternatives(): Regex {
    this.depth += 1
    if (this.depth > maxNesting) throw new UnsupportedPattern()
    const items = [this.terms()]
    while (this.take('|')) items.push(this.terms())
    this.depth -= 1
    return items.length === 1 && items[0] ? items[0] : { kind: 'choice', items }
  }

  private terms(): Regex {
    const items: Regex[] = []
    while (this.at < this.chars.length && this.peek() !== '|' && this.peek() !== ')') items.push(this.term())
    return { kind: 'sequence', items }
  }

  private term(): Regex {
    if (this.take('^')) return { kind: 'start' }
    if (this.take('$')) return { kind: 'end' }
    const item = this.atom()
    const [least, most] = this.quantifier()
    return least === 1 && most === 1 ? item : { kind: 'repeat', item, least, most }
  }

  private atom(): Regex {
    const char = this.next()
    if (char === '(') return this.group()
    if (char === '[') return { kind: 'characters', set: this.characterClass() }
    if (char === '.') return { kind: 'characters', set: complement(lineTerminators) }
    if (char === '\\') return { kind: 'characters', set: this.escape(false) }
    if ('*+?{}]'.includes(char)) throw new UnsupportedPattern()
    return { kind: 'characters', set: single(char) }
  }

  private group(): Regex {
    if (this.take('?') && !this.take(':')) {
      if (!this.take('<') || this.peek() === '=' || this.peek() === '!') throw new UnsupportedPattern()
      while (this.next() !== '>');
    }
    const regex = this.alternatives()
    if (!this.take(')')) throw new UnsupportedPattern()
    return regex
  }

  private quantifier(): [least: number, most: number] {
    const [least, most] = this.greedyQuantifier()
    if (least !== 1 || most !== 1) this.take('?')
    return [least, most]
  }

  private greedyQuantifier(): [least: number, most: number] {
    if (this.take('*')) return [0, Infinity]
    if (this.take('+')) return [1, Infinity]
    if (this.take('?')) return [0, 1]
    if (!this.take('{')) return [1, 1]
    const least = this.integer()
    const most = this.take(',') ? (this.peek() === '}' ? Infinity : this.integer()) : least
    if (!this.take('}') || most < least) throw new UnsupportedPattern()
    return [least, most]
  }

  private integer(): number {
    let text = ''
    while (/^\d$/.test(this.peek())) text += this.next()
    if (text === '') throw new UnsupportedPattern()
    return Number(text)
  }

  private characterClass(): CodePoints {
    const negated = this.take('^')
    const ranges: (readonly [number, number])[] = []
    while (!this.take(']')) {
      const low = this.classAtom()
      if (this.peek() !== '-' || this.chars[this.at + 1] === ']') {
        for (const range of low) ranges.push(range)
        continue
      }
      this.next()
      const [from, to] = [onlyOne(low), onlyOne(this.classAtom())]
      if (from > to) throw new UnsupportedPattern()
      ranges.push([from, to])
    }
    const set = unite(ranges)
    return negated ? complement(set) : intersect(set, anyCharacter)
  }

  private classAtom(): CodePoints {
    const char = this.next()
    return char === '\\' ? this.escape(true) : single(char)
  }

  private escape(inClass: boolean): CodePoints {
    const char = this.next()
    const set = classes[char]
    if (set) return set
    if (char === 'b' && inClass) return [[8, 8]]
    if (char === '-' && inClass) return single(char)
    if (char === 'c') return controlCharacter(this.next())
    if (char === 'x') return hexadecimal(this.next() + this.next())
    if (char === 'u') return this.unicodeEscape()
    const code = char === '0' && /^\d$/.test(this.peek()) ? undefined : escapes[char]
    if (code !== undefined) return [[code, code]]
    if (syntaxCharacters.includes(char)) return single(char)
    throw new UnsupportedPattern()
  }

  private unicodeEscape(): CodePoints {
    if (!this.take('{')) return hexadecimal(this.next() + this.next() + this.next() + this.next())
    let text = ''
    for (let char = this.next(); char !== '}'; char = this.next()) text += char
    return hexadecimal(text)
  }

  private peek(): string {
    return this.chars[this.at] ?? ''
  }

  private next(): string {
    const char = this.chars[this.at]
    if (char === undefined) throw new UnsupportedPattern()
    this.at += 1
    return char
  }

  private take(char: string): boolean {
    if (this.chars[this.at] !== char) return false
    this.at += 1
    return true
  }
}
