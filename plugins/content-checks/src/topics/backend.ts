import { embedding, inject, injectable, kernel, modelSpec, otherModel, provide } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec, OptionsOf, OptionsSchema } from '@sallyport/core'
import { topics } from './check.js'
import { TopicsDetector } from './detector.js'

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    embedding: {
      type: 'string',
      default: 'all-minilm-l6-v2',
      description: 'Embedding model that compares texts with examples.',
    },
  },
} as const satisfies OptionsSchema

/** Options of one model, under `models.<id>.options`. */
export type TopicsModelOptions = OptionsOf<typeof optionsSchema>

/** @throws model_invalid */
export const embeddingOf = (spec: ModelSpec<TopicsModelOptions>, kernel: Kernel) =>
  otherModel(kernel, spec, 'embedding', embedding)

/** Loads the detector of subjects with its embedding model. */
@injectable()
export class TopicsBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<TopicsModelOptions>,
    @inject(kernel) private readonly kernel: Kernel,
  ) {}

  load(): Promise<LoadedModel> {
    const detector = new TopicsDetector(embeddingOf(this.spec, this.kernel))
    const description = `Detects subjects by example sentences, compared by the model ${this.spec.options.embedding}.`
    return Promise.resolve({ provides: [provide(topics, detector)], descriptor: { description } })
  }
}
