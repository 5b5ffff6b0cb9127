import {
  embedding,
  failure,
  imageClassification,
  inject,
  injectable,
  kernel,
  modelSpec,
  provide,
} from '@sallyport/core'
import type { Capability, Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { TagEmbedding } from './tag-embedding.js'

export interface ImageTagsOptions {
  /** Model that names what a picture shows. */
  readonly classifier: string
  /** Model that gives texts their vectors. */
  readonly texts: string
  /** How many names of a picture count. */
  readonly top: number
}

/** What is honest to expect; shown in listings. */
const description =
  'Vectors of texts and pictures in one space, through the names of the objects that a picture shows. It knows 1,000 ' +
  'kinds of object (ImageNet); it does not know people, scenes, numbers or relations. Scores between a text and a ' +
  'picture are lower than between two texts: one threshold does not fit both.'

/** Composed of two other models, which it reaches through the kernel. */
@injectable()
export class ImageTagsBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<ImageTagsOptions>,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  load(): Promise<LoadedModel> {
    const { classifier, texts, top } = this.spec.options
    this.check('classifier', classifier, imageClassification)
    this.check('texts', texts, embedding)
    const service = new TagEmbedding(
      () => this.models.get(embedding, texts),
      () => this.models.get(imageClassification, classifier),
      top,
    )
    return Promise.resolve({
      provides: [provide(embedding, service)],
      descriptor: { description, features: { image: true } },
    })
  }

  private check(option: keyof ImageTagsOptions, model: string, capability: Capability): void {
    const others = this.models.models(capability).filter(({ id }) => id !== this.spec.id)
    if (others.some(({ id, aliases }) => id === model || aliases.includes(model))) return
    const available = others.map(({ id }) => id).join(', ') || 'none'
    const problem = `its option ${option} names "${model}", which is no other model with ${capability.name} (there are: ${available})`
    throw failure('model_invalid', { model: this.spec.id, problem })
  }
}
