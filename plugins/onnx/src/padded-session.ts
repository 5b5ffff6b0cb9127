import type { Session } from './session/session.js'

/**
 * The same model as one whose file fixes the length of texts: all are padded to it.
 * @param tokens of a text, padding included
 */
export const paddedTo = (session: Session, tokens: number): Session => ({
  inputs: session.inputs.map((input) =>
    input.name === 'input_ids' ? { ...input, shape: [input.shape[0] ?? -1, tokens] } : input,
  ),
  outputs: session.outputs,
  run: (inputs, outputs) => session.run(inputs, outputs),
  release: () => session.release(),
})
