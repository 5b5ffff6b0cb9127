import { failure } from '@sallyport/core'
import type { Capability } from '@sallyport/core'
import { isForClients } from '../../dialects/errors.js'

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
