import { append } from '@sallyport/core/lists'
import type { Budget } from './budget.js'
import { choice, empty, nothing, repeat, rule, sequence, writeExpression } from './expression.js'
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
      const body = this.prune(this.bodies.get(name) ?? nothing) ?? nothing
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
    for (const name of pending) {
      for (const needed of this.referencesOf(this.bodies.get(name) ?? nothing)) {
        const others = waiting.get(needed)
        if (others) others.push(name)
        else waiting.set(needed, [name])
      }
    }
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (this.productive.has(name) || !this.matchesText(this.bodies.get(name) ?? nothing)) continue
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
        return expression.least === 0 || this.matchesText(expression.item)
      case 'characters':
        return expression.ranges.length > 0
      case 'text':
      case 'source':
        return true
    }
  }

  /** Without alternatives that no finite text matches; undefined where that is all. */
  private prune(expression: Expression): Expression | undefined {
    switch (expression.kind) {
      case 'rule':
        return this.productive.has(expression.name) ? expression : undefined
      case 'sequence': {
        const items = expression.items.map((item) => this.prune(item))
        return items.every((item) => item !== undefined) ? sequence(...items) : undefined
      }
      case 'choice': {
        const items = expression.items.map((item) => this.prune(item)).filter((item) => item !== undefined)
        return items.length ? choice(...items) : undefined
      }
      case 'repeat': {
        const item = this.prune(expression.item)
        if (!item) return expression.least === 0 ? empty : undefined
        return repeat(item, expression.least, expression.most)
      }
      default:
        return expression
    }
  }

  private referencesOf(expression: Expression): readonly string[] {
    const names: string[] = []
    const pending = [expression]
    for (let next = pending.pop(); next; next = pending.pop()) {
      if (next.kind === 'rule') names.push(next.name)
      else if (next.kind === 'repeat') pending.push(next.item)
      else if (next.kind === 'source') append(names, this.namesIn(next.source))
      else if (next.kind === 'sequence' || next.kind === 'choice') append(pending, next.items)
    }
    return names
  }

  /** In GBNF text: names of rules of this set, outside of literals and classes. */
  private namesIn(source: string): string[] {
    const bare = source.replace(/"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]/g, ' ')
    return [...new Set(bare.match(/[a-zA-Z0-9-]+/g) ?? [])].filter((name) => this.bodies.has(name))
  }
}
