import { randomInt } from 'node:crypto'
import type { Control } from '../engine/vocabulary.js'
import { escapeRegExp } from '../answer/syntax.js'

/** A part of a rendered prompt: text that is data, or a control token that the template wrote. */
export type PromptPart = { readonly text: string } | { readonly token: number }

const sentinelLength = 8
const privateUse = { first: 0xe000, last: 0xf8ff }

/**
 * Distinguishes control tokens that the template wrote from the same characters in messages. Messages are rendered
 * unchanged, so that templates may trim, split and compare them; only where one contains the text of a control token, or
 * could form one with the text around it, an unguessable sentinel is inserted. The sentinels are removed afterwards.
 */
export class ControlTexts {
  private readonly byText: ReadonlyMap<string, Control>
  private readonly controlPattern: RegExp
  private readonly beginningPattern: RegExp
  private readonly maxLength: number
  private readonly prefixes = new Set<string>()
  private readonly suffixes = new Set<string>()

  constructor(controls: readonly Control[]) {
    // a sentinel cannot be inserted into a single character
    const breakable = controls.filter(({ text }) => Array.from(text).length > 1)
    const texts = breakable.map(({ text }) => text).sort((a, b) => b.length - a.length)
    const pattern = texts.map(escapeRegExp).join('|') || '(?!)'
    this.byText = new Map(breakable.map((control) => [control.text, control]))
    this.controlPattern = new RegExp(pattern, 'gu')
    this.beginningPattern = new RegExp(`(?=${pattern})(.)`, 'gsu')
    this.maxLength = texts[0]?.length ?? 0
    for (const text of texts) {
      for (let length = 1; length < text.length; length += 1) {
        this.prefixes.add(text.slice(0, length))
        this.suffixes.add(text.slice(-length))
      }
    }
  }

  /** Creates the sentinel of one conversation. It is random, so that no message can contain it. */
  static createSentinel(): string {
    const characters = Array.from({ length: sentinelLength }, () => randomInt(privateUse.first, privateUse.last + 1))
    return `\uFDD0${String.fromCodePoint(...characters)}\uFDD1`
  }

  /** Returns the content with sentinels where a control token could arise. */
  protect(content: string, sentinel: string): string {
    if (content === '') return content
    const isPart = content.length < this.maxLength && [...this.byText.keys()].some((text) => text.includes(content))
    const maxOverlap = Math.min(content.length, this.maxLength - 1)
    const lengths = Array.from({ length: maxOverlap }, (_, index) => index + 1)
    const isBefore = isPart || lengths.some((length) => this.suffixes.has(content.slice(0, length)))
    const isAfter = isPart || lengths.some((length) => this.prefixes.has(content.slice(-length)))
    const inner = content.replace(this.beginningPattern, `$1${sentinel}`)
    return `${isBefore ? sentinel : ''}${inner}${isAfter ? sentinel : ''}`
  }

  /** Splits the rendered prompt at control tokens, and removes the sentinels. */
  split(rendered: string, sentinel: string): PromptPart[] {
    const parts: PromptPart[] = []
    let from = 0
    let stripNext = false
    const add = (text: string, stripEnd: boolean) => {
      const left = stripNext ? text.trimStart() : text
      const data = (stripEnd ? left.trimEnd() : left).replaceAll(sentinel, '')
      if (data !== '') parts.push({ text: data })
    }
    for (const match of rendered.matchAll(this.controlPattern)) {
      const control = this.byText.get(match[0])
      if (!control) continue
      add(rendered.slice(from, match.index), control.stripsLeft)
      parts.push({ token: control.id })
      from = match.index + match[0].length
      stripNext = control.stripsRight
    }
    add(rendered.slice(from), false)
    return parts
  }
}
