import { accepts, AutomatonTooLarge } from '../automaton/automaton.js'
import type { Automaton } from '../automaton/automaton.js'
import { compilePattern } from '../automaton/compile.js'
import { UnsupportedPattern } from '../automaton/regex.js'
import type { Budget } from '../budget.js'

const maxLength = 2000

/** Automata of patterns, each made once. */
export class Patterns {
  private readonly known = new Map<string, Automaton | undefined>()

  constructor(private readonly budget: Budget) {}

  /** Undefined where no automaton of a reasonable size holds it. */
  automaton(source: string): Automaton | undefined {
    if (!this.known.has(source)) this.known.set(source, this.compile(source))
    return this.known.get(source)
  }

  accepts(source: string, text: string): boolean {
    const automaton = this.automaton(source)
    return automaton !== undefined && accepts(automaton, text)
  }

  private compile(source: string): Automaton | undefined {
    if (source.length > maxLength) return undefined
    try {
      const automaton = compilePattern(source)
      this.budget.spend('steps', 100 + automaton.states.length)
      return automaton
    } catch (error) {
      if (!(error instanceof UnsupportedPattern || error instanceof AutomatonTooLarge)) throw error
      this.budget.spend('steps', 2000)
      return undefined
    }
  }
}
