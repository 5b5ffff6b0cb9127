import { readFile, stat } from 'node:fs/promises'
import { failure, imageClassification, inject, injectable, modelSpec, provide } from '@sallyport/core'
import type { BackendDefinition, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { FormatError, readTorch } from '@sallyport/weights'
import { OrtSession } from '../session/ort-session.js'
import { classCount, efficientNetLite0 } from './efficientnet-lite0.js'
import { ImageClassifier } from './image-classifier.js'

export interface EfficientNetOptions {
  readonly threads?: number
}

/** EfficientNet-Lite0 from PyTorch weights, which become an ONNX graph in memory within half a second. */
@injectable()
export class EfficientNetBackend implements ModelBackend {
  private session: OrtSession | undefined

  constructor(@inject(modelSpec) private readonly spec: ModelSpec<EfficientNetOptions>) {}

  async load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const names = await this.classNames()
    const session = await OrtSession.load(id, await this.graph(), {
      ...options,
      optimization: 'all',
      executionProvider: 'cpu',
    })
    this.session = session
    return { provides: [provide(imageClassification, new ImageClassifier(session, names))] }
  }

  async stop(): Promise<void> {
    const { session } = this
    this.session = undefined
    await session?.release()
  }

  private async graph(): Promise<Uint8Array> {
    const bytes = await readFile(this.file('model'))
    try {
      return efficientNetLite0(readTorch(bytes))
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause
      throw this.invalid(cause.message, cause)
    }
  }

  private async classNames(): Promise<string[]> {
    const names = parsed(await readFile(this.file('classes.json'), 'utf8'))
    if (Array.isArray(names) && names.length === classCount && names.every((name) => typeof name === 'string'))
      return names
    throw this.invalid(`classes.json must hold a list of ${classCount} names`)
  }

  private file(role: string): string {
    const path = this.spec.files[role]
    if (path === undefined) throw failure('model_files', { model: this.spec.id, problem: `${role} is missing` })
    return path
  }

  private invalid(problem: string, cause?: unknown) {
    return failure('model_invalid', { model: this.spec.id, problem }, { cause })
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Memory of one evaluation and of the image that is decoded meanwhile, as measured. */
const computeBytes = 100 * 2 ** 20

export const efficientNetBackend: BackendDefinition = {
  description: 'EfficientNet-Lite0 from its weights of PyTorch: says which of 1,000 kinds of object a picture shows.',
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      threads: {
        type: 'integer',
        minimum: 1,
        maximum: 1024,
        description: 'Default: the physical cores that the process may use.',
      },
    },
  },
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
