import { getLlama, LlamaLogLevel } from 'node-llama-cpp'

interface Native {
  readonly AddonGrammar: new (
    text: string,
    options: { addonExports: unknown; rootRuleName: string },
  ) => { isTextCompatible(text: string): boolean }
}

/** Tells of a grammar which whole texts are in its language, as llama.cpp reads it. */
export type Accepts = (gbnf: string) => (text: string) => boolean

export const loadAccepts = async (): Promise<Accepts> => {
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: LlamaLogLevel.disabled })
  const native = (llama as unknown as { readonly _bindings: Native })._bindings
  return (gbnf) => {
    const grammar = new native.AddonGrammar(gbnf, { addonExports: native, rootRuleName: 'root' })
    return (text) => grammar.isTextCompatible(text)
  }
}
