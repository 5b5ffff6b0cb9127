import type { Capability } from '../capabilities/capability.js'
import { failure } from '../errors/index.js'
import type { Kernel, Served } from '../kernel.js'
import type { ModelDescriptor, ModelSpec } from './model.js'

/**
 * Another model, whose id or alias an option says: for backends that are composed of models. Get it anew for each
 * call: it may be loaded later, and come back after a crash. Whether it provides the capability is known when all
 * models are loaded: a start fails then, in the same words.
 * @throws model_invalid, where that is no other model with the capability (with those that there are), or is itself
 * composed of this one: a call would go in circles
 */
export const otherModel = <Service extends object, Option extends string>(
  kernel: Kernel,
  { id, options }: ModelSpec<Readonly<Record<NoInfer<Option>, string>>>,
  option: Option,
  capability: Capability<Service>,
): (() => Served<Service>) => namedModel(kernel, { id, named: options[option], option: [option] }, capability)

/** What an option says. */
export interface Naming {
  /** The id of the model whose option it is. */
  readonly id: string
  /** Id or alias of the other model. */
  readonly named: string
  /** Where it stands in the options: `['engines', 0]`. */
  readonly option: readonly (string | number)[]
}

/** Another model by a name that is not an option by itself. @throws model_invalid, as {@link otherModel} */
export const namedModel = <Service extends object>(
  kernel: Kernel,
  naming: Naming,
  capability: Capability<Service>,
): (() => Served<Service>) => {
  const { id, named } = naming
  const composition = compositionOf(kernel)
  const lookUp = () => providing(kernel, naming, capability)
  const other = lookUp()
  const circle = composition.way(other.id, id)
  if (circle) throw refused(naming, `composed of this model: ${[id, ...circle].join(' → ')}`)
  composition.add(id, { id: other.id, option: written(naming), check: lookUp })
  return () => kernel.get(capability, named)
}

/**
 * Whether what a model is composed of turned out to provide what is asked of it.
 * @throws model_invalid, as {@link otherModel}
 */
export const checkParts = (kernel: Kernel, id: string): void => {
  for (const part of compositionOf(kernel).partsOf(id)) part.check()
}

const providing = (kernel: Kernel, naming: Naming, capability: Capability): ModelDescriptor => {
  const { id, named } = naming
  const other = kernel.describe(capability, named)
  if (other && other.id !== id) return other
  const others = kernel.models(capability).filter((model) => model.id !== id)
  const available = others.map((model) => model.id).join(', ') || 'none'
  throw refused(naming, `no other model with ${capability.name} (there are: ${available})`)
}

const refused = (naming: Naming, problem: string) =>
  failure('model_invalid', {
    model: naming.id,
    problem: `its option ${written(naming)} names "${naming.named}", which is ${problem}`,
    option: naming.option,
  })

/** `engines[0]` */
const written = ({ option }: Naming): string =>
  option.map((step, index) => (typeof step === 'number' ? `[${step}]` : (index ? '.' : '') + step)).join('')

/** A model that another one asks. */
interface Part {
  readonly id: string
  readonly option: string
  /** @throws model_invalid where it does not provide what is asked of it */
  check(): unknown
}

/** What the models of a kernel are composed of, as far as they are loaded: there are no circles in it. */
class Composition {
  private readonly parts = new Map<string, readonly Part[]>()

  partsOf(id: string): readonly Part[] {
    return this.parts.get(id) ?? []
  }

  add(id: string, part: Part): void {
    this.parts.set(id, [...this.partsOf(id).filter(({ option }) => option !== part.option), part])
  }

  /** The ids from one model to another that it is composed of, both included. */
  way(from: string, target: string): string[] | undefined {
    if (from === target) return [from]
    for (const { id } of this.partsOf(from)) {
      const way = this.way(id, target)
      if (way) return [from, ...way]
    }
    return undefined
  }
}

const known = new WeakMap<Kernel, Composition>()

const compositionOf = (kernel: Kernel): Composition => {
  const composition = known.get(kernel) ?? new Composition()
  known.set(kernel, composition)
  return composition
}
