import { append } from '@sallyport/kit/lists'
import type { Budget } from './budget.js'
import { nothing, rule } from './expression.js'
import type { Expression } from './expression.js'
import { RuleWriter } from './gbnf.js'

/** Named rules, written for a purpose each. */
export class Rules {
  private readonly bodies = new Map<string, Expression>()
  private readonly shared = new Map<string, string>()
  /** Rules that finite texts match. */
  private readonly productive = new Set<string>()
  /** Rules of which that is not known. */
  private open: string[] = []

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
    if (!this.tryOut(name)) this.open.push(name)
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

  /** From a rule that no finite text matches to others that it needs, as far as they lead. */
  unproductiveWay(name: string): readonly string[] {
    const way = new Set([name])
    // what is added while it is gone through is gone through, too
    for (const at of way) {
      const needed = this.referencesOf(this.bodies.get(at) ?? nothing)
      const next = needed.find((other) => !this.productive.has(other) && !way.has(other))
      if (next !== undefined) way.add(next)
    }
    return [...way]
  }

  /** Those that the root needs, without alternatives that no finite text matches. */
  write(root: string): string {
    this.findProductive()
    const lines = [this.line('root', root)]
    const pending = this.namesIn(root)
    const known = new Set(pending)
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const writer = new RuleWriter((other) => this.productive.has(other))
      const body = this.bodies.get(name) ?? nothing
      lines.push(this.line(name, writer.write(body) ?? ''))
      for (const next of body.kind === 'source' ? this.namesIn(body.source) : writer.references) {
        if (known.has(next)) continue
        known.add(next)
        pending.push(next)
      }
    }
    return lines.join('\n')
  }

  private line(name: string, body: string): string {
    const line = `${name} ::= ${body}`
    this.budget.spend('characters', line.length)
    return line
  }

  private findProductive(): void {
    // most lead to rules that were set later, so that few have to wait
    this.open = this.open.reverse().filter((name) => !this.tryOut(name))
    const waiting = new Map<string, string[]>()
    for (const name of this.open) {
      for (const needed of this.referencesOf(this.bodies.get(name) ?? nothing)) {
        const others = waiting.get(needed)
        if (others) others.push(name)
        else waiting.set(needed, [name])
      }
    }
    const pending = [...this.open]
    for (let name = pending.pop(); name !== undefined; name = pending.pop())
      if (!this.productive.has(name) && this.tryOut(name)) append(pending, waiting.get(name) ?? [])
    this.open = this.open.filter((name) => !this.productive.has(name))
  }

  private tryOut(name: string): boolean {
    const isProductive = this.matchesText(this.bodies.get(name) ?? nothing)
    if (isProductive) this.productive.add(name)
    return isProductive
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
