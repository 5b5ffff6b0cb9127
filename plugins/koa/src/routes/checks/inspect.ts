/** Inspects texts by a check, outside of any chain. */

import { failure } from '@sallyport/core'
import type { Inspected, InspectOptions, ModelDescriptor } from '@sallyport/core'
import { mapBounded, Pacer } from '@sallyport/kit/async'
import { isForClients } from '../../dialects/errors.js'
import { detectorsForCallers, detectorsAmong, findModel } from '../../safeguards/detectors.js'
import type { Exchange } from '../exchange.js'

/** The options of an inspection that come from the body. */
export type DetectorOptions = Pick<InspectOptions, 'model' | 'origin' | 'reference' | 'replace' | 'ignore' | 'options'>

/** How many texts of one request are inspected at the same time: more would only wait. */
const maxConcurrent = 8

/**
 * Inspects each text with the detectors that {@link detectorsOf} chooses.
 * @returns what `convert` returns for each text
 * @throws model_not_found, safeguard_unavailable for a detector that fails, and what the kernel throws
 */
export const inspectEach = async <Result>(
  exchange: Exchange,
  check: string,
  texts: readonly string[],
  options: DetectorOptions,
  convert: (inspected: Inspected, text: string, index: number) => Result,
): Promise<Result[]> => {
  const { kernel, signal, identity } = exchange.context
  const [first] = detectorsOf(exchange, check, options.model)
  const model = kernel.checks.get(check)?.detectors ? {} : { model: first.id }
  // Others have their turns between the texts of one request.
  const pacer = new Pacer({ signal, tenant: identity.tenant })
  const inspect = async (text: string): Promise<Inspected> => {
    await pacer.pause()
    try {
      return await kernel.inspect(check, text, { ...exchange.callOptions(), ...model, ...options })
    } catch (error) {
      const isRequestError = isForClients(error) && error.code !== 'invalid_backend_result'
      throw isRequestError ? error : failure('safeguard_unavailable', { name: check }, { cause: error })
    }
  }
  return mapBounded(texts, maxConcurrent, async (text, index) => convert(await inspect(text), text, index))
}

/**
 * Chooses the detectors of a check: the named one, else those that the configuration names for callers, else the first
 * that the caller may use. Records them as the exchange's model.
 * @throws model_not_found for one that the caller may not use
 */
export const detectorsOf = (
  exchange: Exchange,
  check: string,
  name?: string,
): readonly [ModelDescriptor, ...ModelDescriptor[]] => {
  const { kernel } = exchange.context
  const candidates = detectorsAmong(exchange.models(), kernel, check)
  const chosen = name === undefined ? detectorsForCallers(kernel, check, candidates) : [findModel(candidates, name)]
  const [first, ...others] = chosen.filter((detector) => detector !== undefined)
  if (!first || others.length + 1 < chosen.length)
    throw exchange.modelNotFound(kernel.checks.get(check)?.check ?? check, name, candidates)
  exchange.model = [first, ...others].map(({ id }) => id).join('+')
  return [first, ...others]
}
