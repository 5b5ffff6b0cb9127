import type { Addon, AddonGrammarState, AddonModel } from './addon.js'

/** How far one text has come in a grammar. */
export class GrammarState {
  constructor(
    private readonly addon: Addon,
    private readonly model: AddonModel,
    readonly native: AddonGrammarState,
  ) {}

  /** Tokens that end the generation are admitted where the grammar may end. */
  admits(token: number): boolean {
    return this.addon.AddonSampler.canBeNextTokenForGrammarEvaluationState(this.native, token)
  }

  /** Goes on behind an admitted token. */
  accept(token: number): void {
    // llama.cpp ends the process for those
    if (this.model.isEogToken(token)) return
    this.addon.AddonSampler.acceptGrammarEvaluationStateToken(this.native, token)
  }
}

/** A grammar in llama.cpp's notation (GBNF), whose rule `root` is a whole text. Texts begin with copies of its state. */
export class NativeGrammar {
  private readonly start: AddonGrammarState

  /** @throws Error where llama.cpp cannot parse it */
  constructor(
    private readonly addon: Addon,
    private readonly model: AddonModel,
    gbnf: string,
  ) {
    const parsed = new addon.AddonGrammar(gbnf, { addonExports: addon, rootRuleName: 'root' })
    this.start = new addon.AddonGrammarEvaluationState(model, parsed)
  }

  begin(): GrammarState {
    return new GrammarState(this.addon, this.model, new this.addon.AddonGrammarEvaluationState(this.start))
  }
}
