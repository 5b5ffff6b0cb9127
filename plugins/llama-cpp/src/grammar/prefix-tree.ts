import { withoutHalfPair } from '@sallyport/kit/text'
import { choice, nothing, sequence, text } from './expression.js'
import type { Expression } from './expression.js'

export interface Continuation {
  readonly text: string
  readonly then: Expression
}

/** A choice of different texts that branches where they differ, so that llama.cpp follows few parses at a time. */
export const prefixTree = (continuations: readonly Continuation[]): Expression => {
  const [only] = continuations
  if (!only) return nothing
  if (continuations.length === 1) return sequence(text(only.text), only.then)
  const common = commonPrefix(continuations.map((continuation) => continuation.text))
  const groups = new Map<string, Continuation[]>()
  for (const { text: whole, then } of continuations) {
    const rest = whole.slice(common.length)
    // the rest is empty where the text is a prefix of the other ones
    const [first = ''] = rest
    const group = groups.get(first)
    if (group) group.push({ text: rest, then })
    else groups.set(first, [{ text: rest, then }])
  }
  const branches = choice(...[...groups.values()].map((group) => prefixTree(group)))
  return common === '' ? branches : sequence(text(common), branches)
}

const commonPrefix = (texts: readonly string[]): string => {
  const [first = ''] = texts
  let length = first.length
  for (const other of texts) {
    let same = 0
    while (same < length && other[same] === first[same]) same += 1
    length = same
  }
  return withoutHalfPair(first.slice(0, length))
}
