import { failure, soundInspection } from '@sallyport/core'
import type { CallOptions, Capability, Inspection, InspectionRequest } from '@sallyport/core'
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
    throw isForClients(error) ? error : failure('safeguard_unavailable', { name }, { cause: error })
  }
}

/** What a detector finds; one that answers with scores or spans that cannot be has failed. */
export const inspectWith = <Request extends InspectionRequest>(
  capability: Capability,
  service: { inspect(request: Request, call: CallOptions): Promise<Inspection> },
  request: Request,
  exchange: Exchange,
): Promise<Inspection> =>
  askDetector(capability, async () => soundInspection(await service.inspect(request, exchange.call()), request.text))
