/** Searches patterns of operators in linear time, by automata without backtracking. */

import { failure } from '@sallyport/core'
import { RE2JS } from 're2js'
import { partialMatchSource } from './pattern-source.js'
import type { Hit } from './word-index.js'

export interface TypedPattern {
  readonly type: string
  readonly pattern: string
  /** The approximate number of instructions: see {@link sizeOf}. */
  readonly size: number
}

interface CompiledPattern {
  readonly type: string
  readonly regex: RE2JS
}

/** Compiled patterns, which are matched against one line at a time. */
export class Patterns {
  private readonly compiled: readonly CompiledPattern[]
  /** Patterns for partial matches; undefined where one is too large to compile: then whole lines are held back. */
  private partial: readonly (RE2JS | undefined)[] | undefined

  /** @throws safeguard_unavailable for a pattern that cannot be compiled */
  constructor(private readonly patterns: readonly TypedPattern[]) {
    this.compiled = patterns.map(compile)
  }

  /** The number of instructions of all automata. */
  get size(): number {
    return this.compiled.reduce((sum, { regex }) => sum + regex.programSize(), 0)
  }

  /** Yields each match, and undefined after each line. */
  *find(text: string): Generator<Hit | undefined> {
    for (const { type, regex } of this.compiled)
      for (const { content, from } of linesOf(text)) {
        if (regex.test(content)) {
          for (const { 0: match, index = 0 } of regex.matchAll(content))
            if (match) yield { type, start: from + index, end: from + index + match.length }
        }
        yield undefined
      }
  }

  /** The start of the part at the end of a text that could still become a match. */
  openFrom(text: string): number | undefined {
    const from = text.lastIndexOf('\n') + 1
    const last = text.slice(from)
    this.partial ??= this.patterns.map(({ pattern }) => compilePartial(pattern))
    const starts = this.partial.map((regex) => (regex ? firstIn(last, regex) : 0))
    const first = starts.reduce((min, start) => Math.min(min, start), last.length)
    return first < last.length ? from + first : undefined
  }
}

function* linesOf(text: string): Generator<{ readonly content: string; readonly from: number }> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    if (to > from) yield { content: text.slice(from, to), from }
    from = to + 1
  }
}

const firstIn = (text: string, regex: RE2JS): number => {
  const first = regex.matchAll(text).next()
  return first.done ? text.length : (first.value.index ?? 0)
}

const compile = ({ type, pattern }: TypedPattern): CompiledPattern => {
  try {
    return { type, regex: compileSource(pattern) }
  } catch (cause) {
    const problem = `the check words cannot search for the pattern ${JSON.stringify(pattern)}: write it without lookaround and backreferences, and with fewer repetitions`
    throw failure('safeguard_unavailable', { problem }, { cause })
  }
}

/** A script in the syntax of ECMAScript; RE2 takes the name alone. */
const scriptName = /\\([pP])\{(?:Script|sc)=(\w+)\}/g

const compileSource = (source: string): RE2JS =>
  RE2JS.compile(RE2JS.translateRegExp(source.replace(scriptName, String.raw`\$1{$2}`)), RE2JS.CASE_INSENSITIVE)

const compilePartial = (pattern: string): RE2JS | undefined => {
  try {
    return compileSource(partialMatchSource(pattern))
  } catch {
    return undefined
  }
}
