import type { AddedToken } from './definition.js'

/** A stretch of a text: a token that was added to the vocabulary, or what stands between two. */
export interface Section {
  readonly from: number
  readonly to: number
  readonly token?: AddedToken
}

/** Finds added tokens in a text: the longest of those that begin first. */
export class AddedTokens {
  private readonly tokens: ReadonlyMap<string, AddedToken>
  private readonly pattern: RegExp | undefined

  /** @param contents the tokens by the texts under which they are found */
  constructor(contents: ReadonlyMap<string, AddedToken>) {
    this.tokens = contents
    const longestFirst = [...contents.keys()].sort((a, b) => b.length - a.length)
    const source = longestFirst.map(escaped).join('|')
    this.pattern = source ? new RegExp(source, 'gu') : undefined
  }

  split(text: string): Section[] {
    if (!this.pattern) return text ? [{ from: 0, to: text.length }] : []
    const sections: Section[] = []
    let at = 0
    for (const { 0: content, index } of text.matchAll(this.pattern)) {
      const token = this.tokens.get(content)
      if (!token || index < at) continue
      const from = token.lstrip ? at + text.slice(at, index).trimEnd().length : index
      const end = index + content.length
      const to = token.rstrip ? end + spaceAt(text, end) : end
      if (from > at) sections.push({ from: at, to: from })
      sections.push({ from, to, token })
      at = to
    }
    if (at < text.length) sections.push({ from: at, to: text.length })
    return sections
  }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const space = /\s*/y

const spaceAt = (text: string, at: number): number => {
  space.lastIndex = at
  return space.exec(text)?.[0].length ?? 0
}
