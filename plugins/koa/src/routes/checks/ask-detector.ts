import { failure } from '@sallyport/core'
import type { CallOptions, Capability, ComparisonInspection, InspectionRequest } from '@sallyport/core'
import { inspectReadings, soundInspection } from '@sallyport/guard'
import type { AskAcross } from '@sallyport/guard'
import { isForClients } from '../../dialects/errors.js'
import type { Exchange } from '../exchange.js'

/**
 * Asks a detector. One that fails is an unavailable safeguard here as it is in the chain.
 * @throws safeguard_unavailable, and what the kernel says of the call
 */
export const askDetector = async <Result>({ name }: Capability, ask: () => Promise<Result>): Promise<Result> => {
  try {
    return await ask()
  } catch (error) {
    const isOfTheCall = isForClients(error) && error.code !== 'invalid_backend_result'
    throw isOfTheCall ? error : failure('safeguard_unavailable', { name }, { cause: error })
  }
}

/**
 * What a detector finds in all readings of a text; one that answers with scores or spans that cannot be has failed.
 * @param accept what counts of the inspection of one reading. @throws for one that is not sound
 * @param across asks about values that stand beside each other
 */
export const inspectWith = <Request extends InspectionRequest>(
  capability: Capability,
  service: { inspect(request: Request, call: CallOptions): Promise<ComparisonInspection> },
  request: Request,
  exchange: Exchange,
  accept: (inspection: ComparisonInspection, reading: string) => ComparisonInspection = soundInspection,
  across?: AskAcross,
): Promise<ComparisonInspection> => {
  const { identity, signal } = exchange.context
  const inspect = async (text: string) => accept(await service.inspect({ ...request, text }, exchange.call()), text)
  const asking = { tenant: identity.tenant, signal }
  return askDetector(capability, () => inspectReadings(capability.name, request.text, inspect, asking, across))
}
