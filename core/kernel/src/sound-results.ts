/** What services answer is made of what their capability declares: nothing else passes the chain, or leaves. */

import { failure } from '@sallyport/core'
import type { Capability } from '@sallyport/core'
import { conform, Misfit } from './conform.js'
import type { Look } from './counted.js'

/** Whose service it is, for the log. */
export interface Origin {
  readonly plugin: string
  readonly model: string
}

/**
 * A copy of what a method answered, made of what is declared.
 * @throws invalid_backend_result: the cause is for the log, and says where; it quotes nothing that the backend said
 */
export const soundResults =
  ({ name: capability, methods }: Capability, { plugin, model }: Origin) =>
  (method: string): Look => {
    const shape = methods[method]?.result ?? {}
    return (value, { requestId }) => {
      try {
        return conform(shape, value, 'left out')
      } catch (error) {
        if (!(error instanceof Misfit)) throw error
        const where = error.path === '' ? '' : `${error.path}: `
        const gave = `what ${capability}.${method} of the model ${model} gave is not what is declared`
        const cause = failure('plugin_invalid', { plugin, problem: `${gave}: ${where}${error.problem}` })
        throw failure('invalid_backend_result', { requestId }, { cause })
      }
    }
  }
