import type { Capability } from '../capabilities/capability.js'
import { failure } from '../errors/index.js'
import type { Kernel, Served } from './kernel-api.js'
import type { ModelSpec } from './model.js'

/**
 * Another model, whose id or alias an option says: for backends that are composed of models. Get it anew for each
 * call: it may be loaded later, and come back after a crash.
 * @throws model_invalid, with the models that there are, where that is no other model with the capability
 */
export const otherModel = <Service extends object, Option extends string>(
  kernel: Kernel,
  { id, options }: ModelSpec<Readonly<Record<NoInfer<Option>, string>>>,
  option: Option,
  capability: Capability<Service>,
): (() => Served<Service>) => {
  const named = options[option]
  const others = kernel.models(capability).filter((model) => model.id !== id)
  if (!others.some((model) => model.id === named || model.aliases.includes(named))) {
    const available = others.map((model) => model.id).join(', ') || 'none'
    const problem = `its option ${option} names "${named}", which is no other model with ${capability.name} (there are: ${available})`
    throw failure('model_invalid', { model: id, problem })
  }
  return () => kernel.get(capability, named)
}
