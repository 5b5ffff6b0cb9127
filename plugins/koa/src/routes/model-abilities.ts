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
import { speltChecks } from '../safeguards/spellings.js'
import type { Route } from './route.js'
import { invalidField } from '../invalid-field.js'

interface Ability {
  readonly capability: Pick<Capability, 'name'>
  readonly feature?: keyof ModelFeatures
  /** The path that must be served. */
  readonly path?: string
  /** The interface does not know it: it is listed of models that have it only. */
  readonly whereHad?: true
}

type Abilities = Readonly<Record<string, Ability>>

/** Under the names of the interface. */
const known: Abilities = {
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
  ...Object.fromEntries(speltChecks.map((name) => [name, { capability: { name } }])),
  image_classification: { capability: imageClassification, whereHad: true },
  text_classification: { capability: textClassification, whereHad: true },
  token_classification: { capability: tokenClassification, whereHad: true },
}

const has = ({ capability, feature }: Ability, model: ModelDescriptor): boolean =>
  model.capabilities.includes(capability.name) && (feature === undefined || model.features[feature] === true)

/** What lists are made with. */
export interface Listing {
  readonly kernel: Kernel
  readonly served: () => readonly Route[]
}

/** Of a kernel as it is now, with the capabilities and the checks of plugins under their own names. */
export class ModelAbilities {
  private readonly all: readonly (readonly [name: string, ability: Ability, isServed: boolean])[]

  constructor({ kernel: { httpCapabilities, checks }, served }: Listing) {
    const names = [...httpCapabilities.map(({ name }) => name), ...Array.from(checks.values(), ({ check }) => check)]
    const others = [...new Set(names)].filter((name) => !Object.hasOwn(known, name))
    const paths = new Set(served().map(({ path }) => path))
    this.all = [
      ...Object.entries(known).map(
        ([name, ability]) => [name, ability, !ability.path || paths.has(ability.path)] as const,
      ),
      ...others.map((name) => [name, { capability: { name }, whereHad: true }, true] as const),
    ]
  }

  of(model: ModelDescriptor): Record<string, boolean> {
    const abilities: Record<string, boolean> = {}
    for (const [name, ability, isServed] of this.all) {
      const hasIt = isServed && has(ability, model)
      if (hasIt || !ability.whereHad) abilities[name] = hasIt
    }
    return abilities
  }

  /** Tells the models with an ability. @throws invalid_request for an unknown one */
  find(name: string): (model: ModelDescriptor) => boolean {
    const found = this.all.find(([one]) => one === name) ?? this.all.find(([one]) => fold(one) === fold(name))
    if (found) return (model) => found[2] && has(found[1], model)
    const all = this.all.map(([one]) => one).join(', ')
    throw invalidField('capability', `is unknown: there are ${all}`)
  }
}

/** Names are taken with `-` or `_`, in the singular or the plural. */
const fold = (name: string): string =>
  name
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.replace(/s$/, ''))
    .join('_')
