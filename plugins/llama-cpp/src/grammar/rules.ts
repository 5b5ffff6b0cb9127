import { append } from '@sallyport/kit/lists'
import type { Budget } from './budget.js'
import { nothing, rule } from './expression.js'
import type { Expression, RuleReference } from './expression.js'
import { RuleWriter } from './gbnf.js'

/** The named rules of one grammar. */
export class Rules {
  private readonly bodies = new Map<string, Expression>()
  private readonly shared = new Map<string, string>()
  /** Rules that some finite text matches. */
  private readonly productive = new Set<string>()

  constructor(private readonly budget: Budget) {}

  /** Makes a unique name from the hint, for a rule whose body is set later. */
  reserve(hint: string): string {
    this.budget.spend('rules')
    const name = `${hint.replace(/[^a-zA-Z0-9]+/g, '-').slice(0, 32) || 'rule'}-${this.bodies.size}`
    this.bodies.set(name, nothing)
    return name
  }

  set(name: string, body: Expression): void {
    this.bodies.set(name, body)
  }

  add(hint: string, body: Expression): RuleReference {
    const name = this.reserve(hint)
    this.set(name, body)
    return rule(name)
  }

  /** Returns the same rule for the same key. */
  share(key: string, hint: string, body: () => Expression): RuleReference {
    const known = this.shared.get(key)
    if (known !== undefined) return rule(known)
    const name = this.reserve(hint)
    this.shared.set(key, name)
    this.set(name, body())
    return rule(name)
  }

  /** Whether some finite text matches the rule. */
  isProductive(name: string): boolean {
    if (!this.productive.has(name)) this.findProductive()
    return this.productive.has(name)
  }

  /** An unproductive rule, and those that it needs and that make it unproductive. */
  unproductiveFrom(name: string): readonly string[] {
    const found = new Set([name])
    // a set may grow while a loop goes through it
    for (const at of found) {
      const reason = referencesOf(this.body(at)).find((other) => !this.productive.has(other) && !found.has(other))
      if (reason !== undefined) found.add(reason)
    }
    return [...found]
  }

  /** GBNF of the rules that the root needs, without alternatives that no finite text matches. */
  write(root: Expression): string {
    this.findProductive()
    const lines: string[] = []
    const names = new Set(['root'])
    // a set may grow while a loop goes through it
    for (const name of names) {
      const writer = new RuleWriter((other) => this.productive.has(other))
      const line = `${name} ::= ${writer.write(name === 'root' ? root : this.body(name)) ?? '""'}`
      this.budget.spend('characters', line.length)
      lines.push(line)
      for (const reference of writer.references) names.add(reference)
    }
    return lines.join('\n')
  }

  private body(name: string): Expression {
    return this.bodies.get(name) ?? nothing
  }

  /** Whenever a rule turns out to be productive, the rules that refer to it are checked again. */
  private findProductive(): void {
    const waiting = new Map<string, string[]>()
    const pending = [...this.bodies.keys()].filter((name) => !this.productive.has(name))
    for (const name of pending)
      for (const needed of referencesOf(this.body(name))) {
        const others = waiting.get(needed)
        if (others) others.push(name)
        else waiting.set(needed, [name])
      }
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (this.productive.has(name) || !this.matchesText(this.body(name))) continue
      this.productive.add(name)
      append(pending, waiting.get(name) ?? [])
    }
  }

  private matchesText(expression: Expression): boolean {
    switch (expression.kind) {
      case 'rule':
        return this.productive.has(expression.name)
      case 'sequence':
        return expression.items.every((item) => this.matchesText(item))
      case 'choice':
        return expression.items.some((item) => this.matchesText(item))
      case 'repeat':
        return expression.min === 0 || this.matchesText(expression.item)
      case 'characters':
        return expression.ranges.length > 0
      case 'text':
        return true
    }
  }
}

const referencesOf = (expression: Expression): readonly string[] => {
  const names = new Set<string>()
  const pending = [expression]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.kind === 'rule') names.add(next.name)
    else if (next.kind === 'repeat') pending.push(next.item)
    else if (next.kind === 'sequence' || next.kind === 'choice') append(pending, next.items)
  }
  return [...names]
}
