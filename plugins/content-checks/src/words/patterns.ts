/** Patterns of operators, which are searched in linear time: by automata, not by trying again. */

import { failure } from '@sallyport/core'
import { RE2JS } from 're2js'
import { growing } from './pattern-source.js'
import type { Hit } from './word-index.js'

/** A pattern by the type of its findings. */
export interface TypedPattern {
  readonly type: string
  readonly pattern: string
  /** Instructions, about: see {@link sizeOf}. */
  readonly size: number
}

interface Compiled {
  readonly type: string
  readonly regex: RE2JS
}

/** Looks at one line at a time. */
export class Patterns {
  private readonly compiled: readonly Compiled[]
  /** Find what could become a finding; undefined where that is too large: then whole lines are held. */
  private grown: readonly (RE2JS | undefined)[] | undefined

  /** @throws safeguard_unavailable for a pattern that is none */
  constructor(private readonly patterns: readonly TypedPattern[]) {
    this.compiled = patterns.map(compiled)
  }

  /** Instructions. */
  get size(): number {
    return this.compiled.reduce((sum, { regex }) => sum + regex.programSize(), 0)
  }

  /** Yields after each finding, and each line. */
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

  /** Where what could still become a finding begins. */
  openFrom(text: string): number | undefined {
    const from = text.lastIndexOf('\n') + 1
    const last = text.slice(from)
    this.grown ??= this.patterns.map(({ pattern }) => grownOf(pattern))
    const starts = this.grown.map((regex) => (regex ? firstIn(last, regex) : 0))
    const first = starts.reduce((least, start) => Math.min(least, start), last.length)
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

const compiled = ({ type, pattern }: TypedPattern): Compiled => {
  try {
    return { type, regex: compile(pattern) }
  } catch (cause) {
    const problem = `the check words cannot search for the pattern ${JSON.stringify(pattern)}: write it without look-around and references back, and with fewer repetitions`
    throw failure('safeguard_unavailable', { problem }, { cause })
  }
}

/** A script in the syntax of ECMAScript; RE2 has its name alone. */
const scriptName = /\\([pP])\{(?:Script|sc)=(\w+)\}/g

const compile = (source: string): RE2JS =>
  RE2JS.compile(RE2JS.translateRegExp(source.replace(scriptName, String.raw`\$1{$2}`)), RE2JS.CASE_INSENSITIVE)

const grownOf = (pattern: string): RE2JS | undefined => {
  try {
    return compile(growing(pattern))
  } catch {
    return undefined
  }
}
