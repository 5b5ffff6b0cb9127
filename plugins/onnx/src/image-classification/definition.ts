import { readFile, stat } from 'node:fs/promises'
import { failure, imageClassification, inject, injectable, modelSpec, provide } from '@sallyport/core'
import type { BackendDefinition, LoadedModel, ModelBackend, ModelSpec, OptionsOf, OptionsSchema } from '@sallyport/core'
import { FormatError, readTorch } from '@sallyport/weights'
import { ModelFiles } from '../files/model-files.js'
import { threads } from '../options.js'
import { OrtSession } from '../session/ort-session.js'
import { classCount, efficientNetLite0 } from './efficientnet-lite0.js'
import { ImageClassifier } from './image-classifier.js'

const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { threads },
} as const satisfies OptionsSchema

type EfficientNetOptions = OptionsOf<typeof optionsSchema>

/** EfficientNet-Lite0 from PyTorch weights, which become an ONNX graph in memory within half a second. */
@injectable()
export class EfficientNetBackend implements ModelBackend {
  private readonly files: ModelFiles
  private session: OrtSession | undefined

  constructor(@inject(modelSpec) private readonly spec: ModelSpec<EfficientNetOptions>) {
    this.files = new ModelFiles(spec)
  }

  async load(): Promise<LoadedModel> {
    const labels = this.labels()
    const options = { ...this.spec.options, optimization: 'all', executionProvider: 'cpu' } as const
    this.session = await OrtSession.load(this.spec.id, await this.graph(), options)
    return { provides: [provide(imageClassification, new ImageClassifier(this.session, labels))] }
  }

  async stop(): Promise<void> {
    const { session } = this
    this.session = undefined
    await session?.release()
  }

  private async graph(): Promise<Uint8Array> {
    const bytes = await readFile(this.files.requiredPath('model'))
    try {
      return efficientNetLite0(readTorch(bytes))
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause
      throw this.invalid(cause.message, cause)
    }
  }

  private labels(): readonly string[] {
    this.files.requiredPath('classes.json')
    const labels = this.files.list('classes.json')
    if (labels?.length === classCount && labels.every((label) => typeof label === 'string')) return labels
    throw this.invalid(`classes.json must hold an array of ${classCount} strings`)
  }

  private invalid(problem: string, cause?: unknown) {
    return failure('model_invalid', { model: this.spec.id, problem }, { cause })
  }
}

/** The memory of one evaluation and of the image that is decoded at the same time, as measured. */
const computeBytes = 100 * 2 ** 20

export const efficientNetBackend: BackendDefinition = {
  description: 'EfficientNet-Lite0 from PyTorch weights: classifies an image as one of 1,000 kinds of object.',
  options: optionsSchema,
  capabilities: [imageClassification],
  class: EfficientNetBackend,
  files: {
    model: { names: ['efficientnet-lite0-57934424.pth', 'efficientnet-lite0.pth'] },
    'classes.json': { names: ['classes.json', 'imagenet1k_clean_names.json'] },
  },
  formats: ['.pth'],
  isolation: {},
  estimate: async ({ files }) => ({
    weights: files['model'] === undefined ? 0 : (await stat(files['model'])).size,
    cache: 0,
    compute: computeBytes,
  }),
}
