/** Inspects texts by a check, outside of any chain. */

import { failure } from '@sallyport/core'
import type { Inspected, InspectOptions, ModelDescriptor } from '@sallyport/core'
import { mapBounded, Pacer } from '@sallyport/kit/async'
import { isForClients } from '../../dialects/errors.js'
import { detectorsForCallers, detectorsAmong, findModel } from '../../safeguards/detectors.js'
import type { Exchange } from '../exchange.js'

/** The options of an inspection that come from the body. */
export type DetectorOptions = Pick<InspectOptions, 'model' | 'origin' | 'reference' | 'replace' | 'ignore' | 'options'>

/** Texts of one request that are inspected at the same time: more would only wait. */
const maxConcurrent = 8

/**
 * Asks a check about each text: the detector that the caller names, or those that {@link detectorsOf} has.
 * @returns what is made of each
 * @throws model_not_found, safeguard_unavailable for a detector that fails, and what the kernel says of the call
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
      return await kernel.inspect(check, text, { ...exchange.call(), ...model, ...options })
    } catch (error) {
      const isOfTheCall = isForClients(error) && error.code !== 'invalid_backend_result'
      throw isOfTheCall ? error : failure('safeguard_unavailable', { name: check }, { cause: error })
    }
  }
  return mapBounded(texts, maxConcurrent, async (text, index) => convert(await inspect(text), text, index))
}

/**
 * Whom a check asks: the detector of that name, or else those that the configuration names for callers, or else the
 * first that the caller may use.
 * @throws model_not_found for one that the caller may not use
 */
export const detectorsOf = (
  exchange: Exchange,
  check: string,
  name?: string,
): readonly [ModelDescriptor, ...ModelDescriptor[]] => {
  const { kernel } = exchange.context
  const able = detectorsAmong(exchange.models(), kernel, check)
  const chosen = name === undefined ? detectorsForCallers(kernel, check, able) : [findModel(able, name)]
  const [first, ...others] = chosen.filter((detector) => detector !== undefined)
  if (!first || others.length + 1 < chosen.length)
    throw exchange.modelNotFound(kernel.checks.get(check)?.check ?? check, name, able)
  exchange.model = [first, ...others].map(({ id }) => id).join('+')
  return [first, ...others]
}
