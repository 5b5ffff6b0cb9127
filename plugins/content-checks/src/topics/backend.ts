import { embedding, inject, injectable, kernel, modelSpec, otherModel, provide } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec, OptionsSchema } from '@sallyport/core'
import { topics } from './check.js'
import { TopicsDetector } from './detector.js'

/** Options of one model, under `models.<id>.options`. */
export interface TopicsModelOptions {
  /** Model with embedding by which texts are compared with examples. */
  readonly embedding: string
}

export const optionsSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    embedding: {
      type: 'string',
      default: 'all-minilm-l6-v2',
      description: 'Model with embedding by which texts are compared with examples.',
    },
  },
}

/** The model that it compares with. @throws model_invalid */
export const embeddingOf = (spec: ModelSpec<TopicsModelOptions>, models: Kernel) =>
  otherModel(models, spec, 'embedding', embedding)

/** A detector of subjects, composed with an embedding model. */
@injectable()
export class TopicsBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<TopicsModelOptions>,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  load(): Promise<LoadedModel> {
    const detector = new TopicsDetector(embeddingOf(this.spec, this.models))
    const description = `Subjects by examples, compared by ${this.spec.options.embedding}.`
    return Promise.resolve({ provides: [provide(topics, detector)], descriptor: { description } })
  }
}
