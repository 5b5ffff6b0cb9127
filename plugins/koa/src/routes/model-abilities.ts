/** What listings say that a model can do, under the names of the interface. */

import {
  chat,
  completion,
  embedding,
  extraction,
  failure,
  imageClassification,
  rerank,
  textClassification,
  tokenClassification,
  tokens,
  transcription,
  translation,
} from '@sallyport/core'
import type { Capability, ModelDescriptor, ModelFeatures } from '@sallyport/core'
import { speltChecks } from '../specification/spellings.js'
import type { Route } from './route.js'

interface Ability {
  readonly capability: Pick<Capability, 'name'>
  readonly feature?: keyof ModelFeatures
  /** The path that must be served. */
  readonly path?: string
  /** It is for models that are composed of others, and listed of models that have it only. */
  readonly forModels?: true
}

const abilities: Readonly<Record<string, Ability>> = {
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
  image_classification: { capability: imageClassification, forModels: true },
  text_classification: { capability: textClassification, forModels: true },
  token_classification: { capability: tokenClassification, forModels: true },
}

const has = ({ capability, feature, path }: Ability, model: ModelDescriptor, served: readonly Route[]): boolean =>
  model.capabilities.includes(capability.name) &&
  (feature === undefined || model.features[feature] === true) &&
  (path === undefined || served.some((route) => route.path === path))

export const modelAbilities = (model: ModelDescriptor, served: readonly Route[]): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(abilities)
      .map(([name, ability]) => ({ name, ability, hasIt: has(ability, model, served) }))
      .filter(({ ability, hasIt }) => hasIt || !ability.forModels)
      .map(({ name, hasIt }) => [name, hasIt]),
  )

/** Names are taken with `-` or `_`, in the singular or the plural. */
const fold = (name: string): string =>
  name
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.replace(/s$/, ''))
    .join('_')

const byFoldedName = new Map(Object.entries(abilities).map(([name, ability]) => [fold(name), ability]))

/** Tells the models with an ability. @throws invalid_request for an unknown one */
export const findAbility = (name: string): ((model: ModelDescriptor, served: readonly Route[]) => boolean) => {
  const ability = byFoldedName.get(fold(name))
  if (ability) return (model, served) => has(ability, model, served)
  const all = Object.keys(abilities).join(', ')
  throw failure('invalid_request', { field: 'capability', problem: `is unknown: there are ${all}` })
}
