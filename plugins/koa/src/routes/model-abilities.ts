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
import type { Capability, Kernel, ModelDescriptor, ModelFeatures } from '@sallyport/core'
import { speltChecks } from '../specification/spellings.js'
import type { Route } from './route.js'

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

const has = ({ capability, feature, path }: Ability, model: ModelDescriptor, served: readonly Route[]): boolean =>
  model.capabilities.includes(capability.name) &&
  (feature === undefined || model.features[feature] === true) &&
  (path === undefined || served.some((route) => route.path === path))

/** With the capabilities and the checks of plugins, under their own names. */
const abilitiesOf = ({ httpCapabilities, checks }: Kernel): Abilities => {
  const names = [...httpCapabilities.map(({ name }) => name), ...Array.from(checks.values(), ({ check }) => check)]
  const others = names.filter((name) => !Object.hasOwn(known, name))
  return { ...known, ...Object.fromEntries(others.map((name) => [name, { capability: { name }, whereHad: true }])) }
}

/** What lists are made with. */
export interface Listing {
  readonly kernel: Kernel
  readonly served: () => readonly Route[]
}

export const modelAbilities = (model: ModelDescriptor, { kernel, served }: Listing): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(abilitiesOf(kernel))
      .map(([name, ability]) => ({ name, ability, hasIt: has(ability, model, served()) }))
      .filter(({ ability, hasIt }) => hasIt || !ability.whereHad)
      .map(({ name, hasIt }) => [name, hasIt]),
  )

/** Names are taken with `-` or `_`, in the singular or the plural. */
const fold = (name: string): string =>
  name
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.replace(/s$/, ''))
    .join('_')

/** Tells the models with an ability. @throws invalid_request for an unknown one */
export const findAbility = (name: string, { kernel, served }: Listing): ((model: ModelDescriptor) => boolean) => {
  const abilities = Object.entries(abilitiesOf(kernel))
  const [, ability] =
    abilities.find(([one]) => one === name) ?? abilities.find(([one]) => fold(one) === fold(name)) ?? []
  if (ability) return (model) => has(ability, model, served())
  const all = abilities.map(([one]) => one).join(', ')
  throw failure('invalid_request', { field: 'capability', problem: `is unknown: there are ${all}` })
}
