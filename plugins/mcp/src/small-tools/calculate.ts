/** Arithmetic on decimal numbers: `+ - * / % ^`, signs and parentheses. */

const token = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([-+*/%^()]))/y
/** Parentheses and signs inside each other; a deeper expression is refused rather than overflow the stack. */
const maxDepth = 100

/** The operators of each level, those that bind least first. All but `^` group from the left. */
const levels: readonly Readonly<Record<string, (left: number, right: number) => number>>[] = [
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  { '*': (left, right) => left * right, '/': (left, right) => left / right, '%': (left, right) => left % right },
]

/** @throws RangeError that says where the expression is wrong, or that it has no finite value */
export const calculate = (expression: string): number => {
  const value = new Parser(expression).parse()
  if (!Number.isFinite(value)) throw new RangeError('the result is not a finite number')
  return value
}

class Parser {
  private position = 0
  private next = ''
  private depth = 0

  constructor(private readonly expression: string) {
    this.advance()
  }

  parse(): number {
    const value = this.level(0)
    if (this.next !== '') throw this.unexpected()
    return value
  }

  private level(at: number): number {
    const operators = levels[at]
    if (!operators) return this.signed()
    let value = this.level(at + 1)
    for (let apply = operators[this.next]; apply; apply = operators[this.next]) {
      this.advance()
      value = apply(value, this.level(at + 1))
    }
    return value
  }

  private signed(): number {
    if (this.next !== '-' && this.next !== '+') return this.power()
    const sign = this.next === '-' ? -1 : 1
    return sign * this.nested(() => this.signed())
  }

  private power(): number {
    const base = this.operand()
    return this.next === '^' ? base ** this.nested(() => this.signed()) : base
  }

  private operand(): number {
    if (this.next === '(') {
      const value = this.nested(() => this.level(0))
      if (!this.isNext(')')) throw this.unexpected()
      this.advance()
      return value
    }
    const value = Number(this.next === '' ? NaN : this.next)
    if (Number.isNaN(value)) throw this.unexpected()
    this.advance()
    return value
  }

  private isNext(symbol: string): boolean {
    return this.next === symbol
  }

  /** Reads on after the current token. */
  private nested(read: () => number): number {
    if ((this.depth += 1) > maxDepth) throw new RangeError('the expression is nested too deeply')
    this.advance()
    const value = read()
    this.depth -= 1
    return value
  }

  private advance(): void {
    token.lastIndex = this.position
    const match = token.exec(this.expression)
    const rest = this.expression.slice(this.position).trim()
    if (!match && rest !== '') throw this.unexpected()
    this.next = match?.[1] ?? match?.[2] ?? ''
    this.position = match ? token.lastIndex : this.expression.length
  }

  private unexpected(): RangeError {
    const where = this.next === '' ? this.position : this.position - this.next.length
    return new RangeError(`the expression is not understood at character ${where + 1}`)
  }
}
