import type { Budget } from './budget.js'
import { choice, nothing, repeat, rule, sequence, writeExpression } from './expression.js'
import type { Expression } from './expression.js'

/** Named rules, written for a purpose each. */
export class Rules {
  private readonly bodies = new Map<string, Expression>()
  private readonly shared = new Map<string, string>()
  private readonly productive = new Set<string>()

  constructor(private readonly budget: Budget) {}

  /** A new name that reads like the hint. Its body is to be set. */
  reserve(hint: string): string {
    this.budget.spend('rules')
    const name = `${hint.replace(/[^a-zA-Z0-9]+/g, '-').slice(0, 32) || 'rule'}-${this.bodies.size}`
    this.bodies.set(name, nothing)
    return name
  }

  set(name: string, body: Expression): void {
    this.bodies.set(name, body)
  }

  add(hint: string, body: Expression): string {
    const name = this.reserve(hint)
    this.set(name, body)
    return name
  }

  /** The same rule for the same key. */
  share(key: string, hint: string, body: () => Expression): Expression & { readonly kind: 'rule' } {
    const known = this.shared.get(key)
    if (known !== undefined) return rule(known)
    const name = this.reserve(hint)
    this.shared.set(key, name)
    this.set(name, body())
    return rule(name)
  }

  /** Whether a finite text matches the rule. Rules set since the last call are looked at. */
  isProductive(name: string): boolean {
    this.findProductive()
    return this.productive.has(name)
  }

  /** Those that the root needs, without alternatives that no finite text matches. */
  write(root: string): string {
    this.findProductive()
    const lines: string[] = []
    this.writeRule('root', { kind: 'source', source: root }, lines)
    const pending = this.namesIn(root)
    const written = new Set(pending)
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const body = this.prune(this.bodies.get(name) ?? nothing)
      this.writeRule(name, body, lines)
      for (const next of this.referencesOf(body)) {
        if (written.has(next)) continue
        written.add(next)
        pending.push(next)
      }
    }
    return lines.join('\n')
  }

  private writeRule(name: string, body: Expression, lines: string[]): void {
    const line = `${name} ::= ${writeExpression(body)}`
    this.budget.spend('characters', line.length)
    lines.push(line)
  }

  private findProductive(): void {
    const waiting = new Map<string, string[]>()
    const pending = [...this.bodies.keys()].filter((name) => !this.productive.has(name))
    for (const name of pending)
      for (const needed of this.referencesOf(this.bodies.get(name) ?? nothing))
        waiting.set(needed, [...(waiting.get(needed) ?? []), name])
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (this.productive.has(name) || !this.matchesText(this.bodies.get(name) ?? nothing)) continue
      this.productive.add(name)
      pending.push(...(waiting.get(name) ?? []))
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
        return expression.least === 0 || this.matchesText(expression.item)
      case 'characters':
        return expression.ranges.length > 0
      case 'text':
      case 'source':
        return true
    }
  }

  private prune(expression: Expression): Expression {
    switch (expression.kind) {
      case 'sequence':
        return sequence(...expression.items.map((item) => this.prune(item)))
      case 'choice':
        return choice(...expression.items.filter((item) => this.matchesText(item)).map((item) => this.prune(item)))
      case 'repeat':
        return this.matchesText(expression.item)
          ? repeat(this.prune(expression.item), expression.least, expression.most)
          : sequence()
      default:
        return expression
    }
  }

  private referencesOf(expression: Expression): string[] {
    switch (expression.kind) {
      case 'rule':
        return [expression.name]
      case 'sequence':
      case 'choice':
        return expression.items.flatMap((item) => this.referencesOf(item))
      case 'repeat':
        return this.referencesOf(expression.item)
      case 'source':
        return this.namesIn(expression.source)
      default:
        return []
    }
  }

  /** In GBNF text: names of rules of this set, outside of literals and classes. */
  private namesIn(source: string): string[] {
    const bare = source.replace(/"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]/g, ' ')
    return [...new Set(bare.match(/[a-zA-Z0-9-]+/g) ?? [])].filter((name) => this.bodies.has(name))
  }
}
