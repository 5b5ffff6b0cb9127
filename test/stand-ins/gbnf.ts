/** Reads grammars of llama.cpp, and writes random texts that fit them. Independent of what writes the grammars. */

type Expression =
  | { kind: 'text'; text: string }
  | { kind: 'characters'; ranges: [number, number][] }
  | { kind: 'rule'; name: string }
  | { kind: 'sequence'; items: Expression[] }
  | { kind: 'choice'; items: Expression[] }
  | { kind: 'repeat'; item: Expression; least: number; most: number }

/** From 0 to below 1. */
export type Random = () => number

/** Steps of a derivation after which the shortest way to an end is taken. */
const patience = 400

export class GbnfSampler {
  private readonly rules: ReadonlyMap<string, Expression>
  private readonly costs = new Map<string, number>()

  constructor(gbnf: string) {
    this.rules = new Map(gbnf.split('\n').filter(Boolean).map(parseRule))
    this.findCosts()
  }

  /** A text that fits the grammar. */
  sample(random: Random): string {
    let steps = 0
    const parts: string[] = []
    const pending: Expression[] = [{ kind: 'rule', name: 'root' }]
    for (let next = pending.pop(); next; next = pending.pop()) {
      steps += 1
      const hurry = steps > patience
      if (next.kind === 'text') parts.push(next.text)
      else if (next.kind === 'characters') parts.push(pickCharacter(next.ranges, random))
      else if (next.kind === 'rule') pending.push(this.rule(next.name))
      else if (next.kind === 'sequence') pending.push(...[...next.items].reverse())
      else if (next.kind === 'choice') pending.push(this.pick(next.items, hurry, random))
      else pending.push(...this.repetition(next, hurry, random))
    }
    return parts.join('')
  }

  private rule(name: string): Expression {
    const body = this.rules.get(name)
    if (!body) throw new Error(`the grammar has no rule ${name}`)
    return body
  }

  private pick(items: readonly Expression[], hurry: boolean, random: Random): Expression {
    const finite = items.filter((item) => this.cost(item) < Infinity)
    if (!hurry) return finite[Math.floor(random() * finite.length)]!
    const least = Math.min(...finite.map((item) => this.cost(item)))
    return finite.find((item) => this.cost(item) === least)!
  }

  private repetition(
    { item, least, most }: Expression & { kind: 'repeat' },
    hurry: boolean,
    random: Random,
  ): Expression[] {
    let count = least
    while (!hurry && count < most && random() < 0.7) count += 1
    return Array.from({ length: count }, () => item)
  }

  private cost(expression: Expression): number {
    switch (expression.kind) {
      case 'text':
      case 'characters':
        return 1
      case 'rule':
        return 1 + (this.costs.get(expression.name) ?? Infinity)
      case 'sequence':
        return expression.items.reduce((sum, item) => sum + this.cost(item), 0)
      case 'choice':
        return Math.min(...expression.items.map((item) => this.cost(item)))
      case 'repeat':
        return expression.least === 0 ? 0 : expression.least * this.cost(expression.item)
    }
  }

  private findCosts(): void {
    for (let changed = true; changed;) {
      changed = false
      for (const [name, body] of [...this.rules].reverse()) {
        const cost = this.cost(body)
        if (cost >= (this.costs.get(name) ?? Infinity)) continue
        this.costs.set(name, cost)
        changed = true
      }
    }
  }
}

const pickCharacter = (ranges: readonly [number, number][], random: Random): string => {
  const [from, to] = ranges[Math.floor(random() * ranges.length)]!
  return String.fromCodePoint(from + Math.floor(random() * (to - from + 1)))
}

const parseRule = (line: string): [string, Expression] => {
  const [, name = '', body = ''] = /^([a-zA-Z0-9-]+) ::= (.*)$/s.exec(line) ?? []
  return [name, new Reader(body).read()]
}

class Reader {
  private at = 0

  constructor(private readonly source: string) {}

  read(): Expression {
    const expression = this.choice()
    if (this.at < this.source.length) throw new Error(`unexpected ${this.source.slice(this.at, this.at + 20)}`)
    return expression
  }

  private choice(): Expression {
    const items = [this.sequence()]
    while (this.take('|')) items.push(this.sequence())
    return items.length === 1 ? items[0]! : { kind: 'choice', items }
  }

  private sequence(): Expression {
    const items: Expression[] = []
    this.space()
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at]!)) {
      items.push(this.repeated())
      this.space()
    }
    return items.length === 1 ? items[0]! : { kind: 'sequence', items }
  }

  private repeated(): Expression {
    const item = this.item()
    const [, counts] = /^(\*|\+|\?|\{\d+(?:,\d*)?\})/.exec(this.source.slice(this.at, this.at + 30)) ?? []
    if (counts === undefined) return item
    this.at += counts.length
    const [least, most] =
      counts === '*' ? [0, Infinity] : counts === '+' ? [1, Infinity] : counts === '?' ? [0, 1] : bounds(counts)
    return { kind: 'repeat', item, least, most }
  }

  private item(): Expression {
    if (this.take('(')) {
      const inner = this.choice()
      if (!this.take(')')) throw new Error('a group is not closed')
      return inner
    }
    if (this.source[this.at] === '"') return { kind: 'text', text: this.literal() }
    if (this.source[this.at] === '[') return { kind: 'characters', ranges: this.class() }
    const [name] = /^[a-zA-Z0-9-]+/.exec(this.source.slice(this.at, this.at + 200)) ?? []
    if (name === undefined) throw new Error(`unexpected ${this.source.slice(this.at, this.at + 20)}`)
    this.at += name.length
    return { kind: 'rule', name }
  }

  private literal(): string {
    this.at += 1
    let text = ''
    while (this.source[this.at] !== '"') text += String.fromCodePoint(this.character())
    this.at += 1
    return text
  }

  private class(): [number, number][] {
    this.at += 1
    const ranges: [number, number][] = []
    while (this.source[this.at] !== ']') {
      const from = this.character()
      const isRange = this.source[this.at] === '-' && this.source[this.at + 1] !== ']'
      if (isRange) this.at += 1
      ranges.push([from, isRange ? this.character() : from])
    }
    this.at += 1
    return ranges
  }

  private character(): number {
    if (this.source[this.at] !== '\\') {
      const code = this.source.codePointAt(this.at)!
      this.at += code > 0xffff ? 2 : 1
      return code
    }
    const letter = this.source[this.at + 1]!
    const length = { x: 2, u: 4, U: 8 }[letter]
    this.at += 2 + (length ?? 0)
    if (length !== undefined) return parseInt(this.source.slice(this.at - length, this.at), 16)
    return { t: 9, r: 13, n: 10 }[letter] ?? letter.codePointAt(0)!
  }

  private space(): void {
    while (this.source[this.at] === ' ') this.at += 1
  }

  private take(char: string): boolean {
    this.space()
    if (this.source[this.at] !== char) return false
    this.at += 1
    return true
  }
}

const bounds = (counts: string): [number, number] => {
  const [least = '', most] = counts.slice(1, -1).split(',')
  return [Number(least), most === undefined ? Number(least) : most === '' ? Infinity : Number(most)]
}
