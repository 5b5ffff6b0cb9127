import { accepts, AutomatonTooLarge } from '../automaton/automaton.js'
import type { Automaton } from '../automaton/automaton.js'
import { compileConstant, compilePattern } from '../automaton/compile.js'
import { UnsupportedPattern } from '../automaton/escapes.js'
import type { Budget } from '../budget.js'
import { formatPatterns } from '../formats.js'

const maxLength = 2000

const constants = new Set(formatPatterns.values())

/** Automata of patterns, each made once. */
export class Patterns {
  private readonly known = new Map<string, Automaton | undefined>()

  constructor(private readonly budget: Budget) {}

  readonly spend = (units: number): void => this.budget.spend('steps', units)

  /** Undefined where no automaton of a reasonable size holds it. */
  automaton(source: string): Automaton | undefined {
    if (!this.known.has(source)) this.known.set(source, this.compile(source))
    return this.known.get(source)
  }

  /** @throws AutomatonTooLarge */
  sureAutomaton(source: string): Automaton {
    const automaton = this.automaton(source)
    if (!automaton) throw new AutomatonTooLarge()
    return automaton
  }

  accepts(source: string, text: string): boolean {
    const automaton = this.automaton(source)
    return automaton !== undefined && accepts(automaton, text)
  }

  private compile(source: string): Automaton | undefined {
    if (source.length > maxLength) return undefined
    try {
      return constants.has(source) ? compileConstant(source) : compilePattern(source, this.spend)
    } catch (error) {
      if (!(error instanceof UnsupportedPattern || error instanceof AutomatonTooLarge)) throw error
      return undefined
    }
  }
}
