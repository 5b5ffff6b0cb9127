import { randomInt } from 'node:crypto'
import type { Control } from '../engine/vocabulary.js'
import { escaped } from '../answer/syntax.js'

/** A stretch of a rendered prompt: text that is data, or a control token that the template wrote. */
export type Stretch = { readonly text: string } | { readonly token: number }

const markLength = 8
const privateUse = { first: 0xe000, last: 0xf8ff }

/**
 * Tells what the template wrote from what people wrote, after both have become one text. Content is rendered as it
 * is, so that templates may trim, split and compare it; only where it holds the text of a control token, or could
 * complete one across its ends, an unguessable mark breaks that text up. The marks are taken out afterwards.
 */
export class ControlTexts {
  private readonly byText: ReadonlyMap<string, Control>
  private readonly whole: RegExp
  private readonly beginning: RegExp
  private readonly maxLength: number
  private readonly prefixes = new Set<string>()
  private readonly suffixes = new Set<string>()

  constructor(controls: readonly Control[]) {
    // a mark cannot break up a single character
    const breakable = controls.filter(({ text }) => Array.from(text).length > 1)
    const texts = breakable.map(({ text }) => text).sort((a, b) => b.length - a.length)
    const pattern = texts.map(escaped).join('|') || '(?!)'
    this.byText = new Map(breakable.map((control) => [control.text, control]))
    this.whole = new RegExp(pattern, 'gu')
    this.beginning = new RegExp(`(?=${pattern})(.)`, 'gsu')
    this.maxLength = texts[0]?.length ?? 0
    for (const text of texts) {
      for (let length = 1; length < text.length; length += 1) {
        this.prefixes.add(text.slice(0, length))
        this.suffixes.add(text.slice(-length))
      }
    }
  }

  /** A mark for one conversation: nobody can have put it into the content. */
  static createMark(): string {
    const characters = Array.from({ length: markLength }, () => randomInt(privateUse.first, privateUse.last + 1))
    return `\uFDD0${String.fromCodePoint(...characters)}\uFDD1`
  }

  /** The content, with marks where a control token could arise. */
  protect(content: string, mark: string): string {
    if (content === '') return content
    const inside = this.isInside(content)
    const before = inside || this.completes(content) ? mark : ''
    const after = inside || this.begins(content) ? mark : ''
    return `${before}${content.replace(this.beginning, `$1${mark}`)}${after}`
  }

  /** The rendered prompt in stretches, without marks. */
  split(rendered: string, mark: string): Stretch[] {
    const stretches: Stretch[] = []
    let from = 0
    let stripNext = false
    const add = (text: string, stripEnd: boolean) => {
      const left = stripNext ? text.trimStart() : text
      const data = (stripEnd ? left.trimEnd() : left).replaceAll(mark, '')
      if (data !== '') stretches.push({ text: data })
    }
    for (const match of rendered.matchAll(this.whole)) {
      const control = this.byText.get(match[0])
      if (!control) continue
      add(rendered.slice(from, match.index), control.stripsLeft)
      stretches.push({ token: control.id })
      from = match.index + match[0].length
      stripNext = control.stripsRight
    }
    add(rendered.slice(from), false)
    return stretches
  }

  private begins(content: string): boolean {
    return this.lengths(content).some((length) => this.prefixes.has(content.slice(-length)))
  }

  private completes(content: string): boolean {
    return this.lengths(content).some((length) => this.suffixes.has(content.slice(0, length)))
  }

  private isInside(content: string): boolean {
    return content.length < this.maxLength && [...this.byText.keys()].some((text) => text.includes(content))
  }

  private lengths(content: string): number[] {
    return Array.from({ length: Math.min(content.length, this.maxLength - 1) }, (_, index) => index + 1)
  }
}
