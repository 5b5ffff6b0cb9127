/** The capabilities of models as listings name them. */

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

interface ListedCapability {
  readonly capability: Pick<Capability, 'name'>
  readonly feature?: keyof ModelFeatures
  /** The path that must be served. */
  readonly path?: string
  /** Whether it is listed only for models that have it, because the specification does not name it. */
  readonly listedOnlyIfPresent?: true
}

type CapabilityTable = Readonly<Record<string, ListedCapability>>

/** The capabilities of the API, under its names. */
const apiCapabilities: CapabilityTable = {
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

const has = ({ capability, feature }: ListedCapability, model: ModelDescriptor): boolean =>
  model.capabilities.includes(capability.name) && (feature === undefined || model.features[feature] === true)

/** The kernel and the routes from which listings are made. */
export interface ListingSource {
  readonly kernel: Kernel
  readonly served: () => readonly Route[]
}

/** The listed capabilities of a kernel at the time of construction, those of its plugins included. */
export class ListedCapabilities {
  private readonly all: readonly (readonly [name: string, listed: ListedCapability, isServed: boolean])[]

  constructor({ kernel: { httpCapabilities, checks }, served }: ListingSource) {
    const names = [...httpCapabilities.map(({ name }) => name), ...Array.from(checks.values(), ({ check }) => check)]
    const others = [...new Set(names)].filter((name) => !Object.hasOwn(apiCapabilities, name))
    const paths = new Set(served().map(({ path }) => path))
    this.all = [
      ...Object.entries(apiCapabilities).map(
        ([name, listed]) => [name, listed, !listed.path || paths.has(listed.path)] as const,
      ),
      ...others.map((name) => [name, { capability: { name }, listedOnlyIfPresent: true }, true] as const),
    ]
  }

  of(model: ModelDescriptor): Record<string, boolean> {
    const flags: Record<string, boolean> = {}
    for (const [name, listed, isServed] of this.all) {
      const hasIt = isServed && has(listed, model)
      if (hasIt || !listed.listedOnlyIfPresent) flags[name] = hasIt
    }
    return flags
  }

  /** Makes a test for models with a listed capability. @throws invalid_request for an unknown name */
  find(name: string): (model: ModelDescriptor) => boolean {
    const found =
      this.all.find(([one]) => one === name) ?? this.all.find(([one]) => normalizedName(one) === normalizedName(name))
    if (found) return (model) => found[2] && has(found[1], model)
    const all = this.all.map(([one]) => one).join(', ')
    throw invalidField('capability', `is unknown: there are ${all}`)
  }
}

/** Normalizes `-` and `_`, and the singular and the plural. */
const normalizedName = (name: string): string =>
  name
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.replace(/s$/, ''))
    .join('_')
