import {
  embedding,
  imageClassification,
  inject,
  injectable,
  kernel,
  modelSpec,
  otherModel,
  provide,
} from '@sallyport/core'
import type {
  BackendDefinition,
  Kernel,
  LoadedModel,
  ModelBackend,
  ModelSpec,
  OptionsOf,
  OptionsSchema,
} from '@sallyport/core'
import { TagEmbedding } from './tag-embedding.js'

const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    classifier: {
      type: 'string',
      default: 'efficientnet-lite0',
      description: 'Model with image-classification that labels images.',
    },
    texts: {
      type: 'string',
      default: 'all-minilm-l6-v2',
      description: 'Model with embedding for texts and labels.',
    },
    top: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: 'How many of the most probable labels of an image are used.',
    },
  },
} as const satisfies OptionsSchema

type ImageTagsOptions = OptionsOf<typeof optionsSchema>

/** The description in listings, so it states the limits. */
const description =
  'Vectors of texts and images in one space, through the labels of the objects that an image shows. It knows 1,000 ' +
  'labels (ImageNet); it does not know people, scenes, numbers or relations. Scores between a text and an image are ' +
  'lower than between two texts: one threshold does not fit both.'

/** The models that the options name. @throws model_invalid */
const modelsOf = (spec: ModelSpec<ImageTagsOptions>, models: Kernel) => ({
  classifier: otherModel(models, spec, 'classifier', imageClassification),
  texts: otherModel(models, spec, 'texts', embedding),
})

/** Uses two other models, which it reaches through the kernel. */
@injectable()
class ImageTagsBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<ImageTagsOptions>,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  load(): Promise<LoadedModel> {
    const { options } = this.spec
    const { classifier, texts } = modelsOf(this.spec, this.models)
    const service = new TagEmbedding(texts, classifier, options.top)
    const textModel = () => this.models.describe(embedding, options.texts)
    const descriptor = {
      description,
      features: { image: true },
      /** That of the text model, looked up at each listing because that model may be loaded later. */
      get contextLength() {
        return textModel()?.contextLength
      },
    }
    return Promise.resolve({ provides: [provide(embedding, service)], descriptor })
  }
}

export const imageTagsBackend: BackendDefinition = {
  description: 'Vectors of images in the space of a text model, through the labels of what they show.',
  options: optionsSchema,
  features: { image: true },
  capabilities: [embedding],
  class: ImageTagsBackend,
  files: 'none',
  check: (model, kernel) => void modelsOf(model as ModelSpec<ImageTagsOptions>, kernel),
}
