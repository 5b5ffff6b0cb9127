/** Writes expressions as GBNF. */

import type { Expression, Range } from './expression.js'

/** Writes one rule without the parts that no finite text matches, and notes the rules that it refers to. */
export class RuleWriter {
  readonly references: string[] = []

  /** @param isProductive whether a finite text matches the rule */
  constructor(private readonly isProductive: (name: string) => boolean) {}

  /** Undefined where no finite text matches. */
  write(expression: Expression): string | undefined {
    switch (expression.kind) {
      case 'text':
        return writeText(expression.text)
      case 'characters':
        return expression.ranges.length ? `[${expression.ranges.map(writeRange).join('')}]` : undefined
      case 'rule':
        return this.reference(expression.name)
      case 'sequence':
        return this.sequence(expression.items)
      case 'choice':
        return this.choice(expression.items)
      case 'repeat': {
        const item = this.item(expression.item)
        if (item === undefined) return expression.min === 0 ? '""' : undefined
        return item + writeCount(expression.min, expression.max)
      }
    }
  }

  private reference(name: string): string | undefined {
    if (!this.isProductive(name)) return undefined
    this.references.push(name)
    return name
  }

  private sequence(items: readonly Expression[]): string | undefined {
    const { length } = this.references
    const parts = items.map((item) => this.item(item))
    if (!parts.includes(undefined)) return parts.join(' ') || '""'
    this.references.length = length
    return undefined
  }

  private choice(items: readonly Expression[]): string | undefined {
    const branches = items.map((item) => this.write(item)).filter((branch) => branch !== undefined)
    return branches.length ? branches.join(' | ') : undefined
  }

  /** Writes an expression that is part of another one. */
  private item(expression: Expression): string | undefined {
    const written = this.write(expression)
    return written === undefined || isAtom(expression) ? written : `(${written})`
  }
}

const isAtom = (expression: Expression): boolean =>
  expression.kind === 'sequence' ? expression.items.length === 0 : !['choice', 'repeat'].includes(expression.kind)

const writeCount = (min: number, max: number): string => {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`
}

/** GBNF for exactly this text. */
const writeText = (value: string): string => `"${value.replace(textSpecials, escapeChar)}"`

const writeRange = ([from, to]: Range): string => (from === to ? writeEnd(from) : `${writeEnd(from)}-${writeEnd(to)}`)

const writeEnd = (code: number): string => String.fromCodePoint(code).replace(classSpecials, escapeChar)

const textSpecials = /[^ !#-[\]_-~]/gu
const classSpecials = /[^ -,.-Z_-~]/gu

const escapeChar = (char: string): string => {
  const code = char.codePointAt(0) ?? 0
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`
  if (code > 0x7e) return `\\u${code.toString(16).padStart(4, '0')}`
  if (code < 0x20 || char === '^') return `\\x${code.toString(16).padStart(2, '0')}`
  return `\\${char}`
}
