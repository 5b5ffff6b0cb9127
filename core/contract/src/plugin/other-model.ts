import type { Capability } from '../capabilities/capability.js'
import { failure } from '../errors/index.js'
import type { Kernel, Served } from '../kernel.js'
import type { ModelDescriptor, ModelSpec } from './model.js'

/**
 * Looks up another model by the id or alias in an option, for backends that are composed of models. Call the returned
 * function for each call, because the other model may be loaded later or restart. Whether it provides the capability is
 * checked again when all models are loaded, and the start fails with the same error.
 * @throws model_invalid if no other model with the capability has this name, or if that model is itself composed of
 * this one
 */
export const otherModel = <Service extends object, Option extends string>(
  kernel: Kernel,
  { id, options }: ModelSpec<Readonly<Record<NoInfer<Option>, string>>>,
  option: Option,
  capability: Capability<Service>,
): (() => Served<Service>) => namedModel(kernel, { id, name: options[option], option: [option] }, capability)

/** A reference to another model by an option. */
export interface ModelReference {
  /** The id of the model whose option it is. */
  readonly id: string
  /** Id or alias of the other model. */
  readonly name: string
  /** The path of the option: `['engines', 0]`. */
  readonly option: readonly (string | number)[]
}

/** Looks up another model by a name inside an option. @throws model_invalid, as {@link otherModel} */
export const namedModel = <Service extends object>(
  kernel: Kernel,
  reference: ModelReference,
  capability: Capability<Service>,
): (() => Served<Service>) => {
  const { id, name } = reference
  const composition = compositionOf(kernel)
  const lookUp = () => findOther(kernel, reference, capability)
  const other = lookUp()
  const cycle = composition.pathBetween(other.id, id)
  if (cycle) throw invalidReference(reference, `composed of this model: ${[id, ...cycle].join(' → ')}`)
  composition.add(id, { id: other.id, option: optionPath(reference), check: lookUp })
  return () => kernel.get(capability, name)
}

/**
 * Checks that the models of which a model is composed provide the capabilities that it needs.
 * @throws model_invalid, as {@link otherModel}
 */
export const checkOtherModels = (kernel: Kernel, id: string): void => {
  for (const part of compositionOf(kernel).partsOf(id)) part.check()
}

/** The ids of the models of which a model is composed, as far as it has looked them up. */
export const otherModelsOf = (kernel: Kernel, id: string): readonly string[] =>
  compositionOf(kernel)
    .partsOf(id)
    .map((part) => part.id)

const findOther = (kernel: Kernel, reference: ModelReference, capability: Capability): ModelDescriptor => {
  const { id, name } = reference
  const other = kernel.describe(capability, name)
  if (other && other.id !== id) return other
  const others = kernel.models(capability).filter((model) => model.id !== id)
  const available = others.map((model) => model.id).join(', ') || 'none'
  throw invalidReference(reference, `no other model with ${capability.name} (there are: ${available})`)
}

const invalidReference = (reference: ModelReference, problem: string) =>
  failure('model_invalid', {
    model: reference.id,
    problem: `its option ${optionPath(reference)} names "${reference.name}", which is ${problem}`,
    option: reference.option,
  })

/** `engines[0]` */
const optionPath = ({ option }: ModelReference): string =>
  option.map((step, index) => (typeof step === 'number' ? `[${step}]` : (index ? '.' : '') + step)).join('')

/** A model that another one is composed of. */
interface Part {
  readonly id: string
  readonly option: string
  /** @throws model_invalid where it does not provide what is asked of it */
  check(): unknown
}

/** The parts of the models of a kernel that have looked up others, without cycles. */
class Composition {
  private readonly parts = new Map<string, readonly Part[]>()

  partsOf(id: string): readonly Part[] {
    return this.parts.get(id) ?? []
  }

  add(id: string, part: Part): void {
    this.parts.set(id, [...this.partsOf(id).filter(({ option }) => option !== part.option), part])
  }

  /** The ids from one model to another that it is composed of, both included. */
  pathBetween(from: string, target: string): string[] | undefined {
    if (from === target) return [from]
    for (const { id } of this.partsOf(from)) {
      const path = this.pathBetween(id, target)
      if (path) return [from, ...path]
    }
    return undefined
  }
}

const compositions = new WeakMap<Kernel, Composition>()

const compositionOf = (kernel: Kernel): Composition => {
  const composition = compositions.get(kernel) ?? new Composition()
  compositions.set(kernel, composition)
  return composition
}
