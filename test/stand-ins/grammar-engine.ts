/** The engine that grammars are made for: llama.cpp, by the addon of node-llama-cpp. */

import { getLlama, LlamaLogLevel } from 'node-llama-cpp'

interface NativeGrammar {
  isTextCompatible(text: string): boolean
}

interface Addon {
  AddonGrammar: new (gbnf: string, options: { addonExports: Addon; rootRuleName: string }) => NativeGrammar
}

export interface GrammarEngine {
  /** Whether whole texts fit the grammar. @throws where llama.cpp cannot read it */
  readonly parse: (gbnf: string) => (text: string) => boolean
}

export const loadGrammarEngine = async (): Promise<GrammarEngine> => {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.disabled,
  })
  const addon = (llama as unknown as { _bindings: Addon })._bindings
  return {
    parse: (gbnf) => {
      const grammar = new addon.AddonGrammar(gbnf, { addonExports: addon, rootRuleName: 'root' })
      return (text) => grammar.isTextCompatible(text)
    },
  }
}
