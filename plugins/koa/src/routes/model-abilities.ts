/** What listings say that a model can do, under the names of the interface. */

import {
  chat,
  completion,
  embedding,
  extraction,
  imageClassification,
  rerank,
  textClassification,
  tokenClassification,
  tokens,
  transcription,
  translation,
} from '@sallyport/core'
import type { Capability, Kernel, ModelDescriptor, ModelFeatures } from '@sallyport/core'
import { specificationCheckNames } from '../safeguards/specification-checks.js'
import type { Route } from './route.js'
import { invalidField } from '../invalid-field.js'

interface Ability {
  readonly capability: Pick<Capability, 'name'>
  readonly feature?: keyof ModelFeatures
  /** The path that must be served. */
  readonly path?: string
  /** Whether it is listed only for models that have it, because the specification does not name it. */
  readonly listedOnlyIfPresent?: true
}

type Abilities = Readonly<Record<string, Ability>>

/** Under the names of the interface. */
const interfaceAbilities: Abilities = {
  chat_completion: { capability: chat },
  chat_with_image: { capability: chat, feature: 'image' },
  completion: { capability: completion },
  embedding: { capability: embedding },
  embedding_with_image: { capability: embedding, feature: 'image' },
  tokenize: { capability: tokens },
  detokenize: { capability: tokens },
  rerank: { capability: rerank },
  tool_calling: { capability: chat, feature: 'tools' },
  reasoning: { capability: chat, feature: 'reasoning' },
  responses: { capability: chat, path: '/responses' },
  responses_with_image: { capability: chat, feature: 'image', path: '/responses' },
  audio_transcription: { capability: transcription },
  document_extraction: { capability: extraction },
  translation: { capability: translation },
  ...Object.fromEntries(specificationCheckNames.map((name) => [name, { capability: { name } }])),
  image_classification: { capability: imageClassification, listedOnlyIfPresent: true },
  text_classification: { capability: textClassification, listedOnlyIfPresent: true },
  token_classification: { capability: tokenClassification, listedOnlyIfPresent: true },
}

const has = ({ capability, feature }: Ability, model: ModelDescriptor): boolean =>
  model.capabilities.includes(capability.name) && (feature === undefined || model.features[feature] === true)

/** The source of listings. */
export interface Listing {
  readonly kernel: Kernel
  readonly served: () => readonly Route[]
}

/** Of a kernel as it is now, with the capabilities and the checks of plugins under their own names. */
export class ModelAbilities {
  private readonly all: readonly (readonly [name: string, ability: Ability, isServed: boolean])[]

  constructor({ kernel: { httpCapabilities, checks }, served }: Listing) {
    const names = [...httpCapabilities.map(({ name }) => name), ...Array.from(checks.values(), ({ check }) => check)]
    const others = [...new Set(names)].filter((name) => !Object.hasOwn(interfaceAbilities, name))
    const paths = new Set(served().map(({ path }) => path))
    this.all = [
      ...Object.entries(interfaceAbilities).map(
        ([name, ability]) => [name, ability, !ability.path || paths.has(ability.path)] as const,
      ),
      ...others.map((name) => [name, { capability: { name }, listedOnlyIfPresent: true }, true] as const),
    ]
  }

  of(model: ModelDescriptor): Record<string, boolean> {
    const abilities: Record<string, boolean> = {}
    for (const [name, ability, isServed] of this.all) {
      const hasIt = isServed && has(ability, model)
      if (hasIt || !ability.listedOnlyIfPresent) abilities[name] = hasIt
    }
    return abilities
  }

  /** Tells the models with an ability. @throws invalid_request for an unknown one */
  find(name: string): (model: ModelDescriptor) => boolean {
    const found =
      this.all.find(([one]) => one === name) ?? this.all.find(([one]) => normalizedName(one) === normalizedName(name))
    if (found) return (model) => found[2] && has(found[1], model)
    const all = this.all.map(([one]) => one).join(', ')
    throw invalidField('capability', `is unknown: there are ${all}`)
  }
}

/** Names are taken with `-` or `_`, in the singular or the plural. */
const normalizedName = (name: string): string =>
  name
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.replace(/s$/, ''))
    .join('_')
