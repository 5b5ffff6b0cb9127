import type { Capability } from '../capabilities/capability.js'
import { failure } from '../errors/index.js'
import type { Kernel, Served } from './kernel-api.js'
import type { ModelSpec } from './model.js'

/**
 * Another model, whose id or alias an option says: for backends that are composed of models. Get it anew for each
 * call: it may be loaded later, and come back after a crash.
 * @throws model_invalid, where that is no other model with the capability (with those that there are), or is itself
 * composed of this one: a call would go in circles
 */
export const otherModel = <Service extends object, Option extends string>(
  kernel: Kernel,
  { id, options }: ModelSpec<Readonly<Record<NoInfer<Option>, string>>>,
  option: Option,
  capability: Capability<Service>,
): (() => Served<Service>) => {
  const named = options[option]
  const refused = (problem: string) =>
    failure('model_invalid', {
      model: id,
      problem: `its option ${option} names "${named}", which is ${problem}`,
      option: [option],
    })
  const other = kernel.describe(capability, named)
  if (!other || other.id === id) {
    const others = kernel.models(capability).filter((model) => model.id !== id)
    const available = others.map((model) => model.id).join(', ') || 'none'
    throw refused(`no other model with ${capability.name} (there are: ${available})`)
  }
  const parts = partsOf(kernel)
  const circle = wayTo(id, other.id, parts)
  if (circle) throw refused(`composed of this model: ${[id, ...circle].join(' → ')}`)
  parts.set(id, new Set(parts.get(id)).add(other.id))
  return () => kernel.get(capability, named)
}

/** By the id of a composed model, those that it asks. */
type Parts = Map<string, ReadonlySet<string>>

/** What the models of a kernel are composed of, as far as they are loaded: there are no circles in it. */
const known = new WeakMap<Kernel, Parts>()

const partsOf = (kernel: Kernel): Parts => {
  const parts: Parts = known.get(kernel) ?? new Map<string, ReadonlySet<string>>()
  known.set(kernel, parts)
  return parts
}

/** The ids from one model to another that it is composed of, both included. */
const wayTo = (target: string, from: string, parts: Parts): string[] | undefined => {
  if (from === target) return [from]
  for (const part of parts.get(from) ?? []) {
    const way = wayTo(target, part, parts)
    if (way) return [from, ...way]
  }
  return undefined
}
