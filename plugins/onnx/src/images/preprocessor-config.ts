import { failure } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'

export type ResizeKernel = 'nearest' | 'lanczos3' | 'linear' | 'cubic'

/** How a model's images are made ready: what `preprocessor_config.json` says, in one form. */
export interface Preprocessing {
  /** The shorter side, or both. */
  readonly resize?: { readonly shortest: number } | { readonly width: number; readonly height: number }
  readonly kernel: ResizeKernel
  /** Cut from the middle; what is smaller is surrounded by black. */
  readonly crop?: { readonly width: number; readonly height: number }
  /** A value is (byte × rescale − mean) / deviation, per channel. */
  readonly rescale: number
  readonly mean: readonly number[]
  readonly deviation: readonly number[]
}

/** By the numbers of PIL; box and hamming have no equal in the decoder's library. */
const kernels: Readonly<Record<number, ResizeKernel>> = { 0: 'nearest', 1: 'lanczos3', 2: 'linear', 3: 'cubic' }

/** What CLIP's own processor does where its file leaves something out. */
const clip = {
  size: { shortest_edge: 224 },
  crop_size: 224,
  resample: 3,
  rescale_factor: 1 / 255,
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_std: [0.26862954, 0.26130258, 0.27577711],
}

/**
 * Reads a parsed `preprocessor_config.json`; CLIP's values where there is none.
 * @throws model_invalid for what is not understood: an image that is made ready in another way has a wrong vector
 */
export const readPreprocessing = (model: string, config: unknown = {}): Preprocessing => {
  if (!isRecord(config)) throw invalid(model, 'must hold an object')
  return new ProcessorConfig(model, config).preprocessing()
}

const invalid = (model: string, problem: string) =>
  failure('model_invalid', { model, problem: `preprocessor_config.json: ${problem}` })

/** Its methods throw model_invalid. */
class ProcessorConfig {
  private readonly isClip: boolean

  constructor(
    private readonly model: string,
    private readonly config: Readonly<Record<string, unknown>>,
  ) {
    this.isClip = isClip(config)
  }

  preprocessing(): Preprocessing {
    const crop = this.crop()
    const normalizes = this.wants('do_normalize')
    return {
      ...(this.wants('do_resize') && { resize: this.size('size') }),
      kernel: this.kernel(),
      ...(crop && { crop }),
      rescale: this.factor(),
      mean: normalizes ? this.channels('image_mean') : [0, 0, 0],
      deviation: normalizes ? this.channels('image_std') : [1, 1, 1],
    }
  }

  private kernel(): ResizeKernel {
    const { resample = clip.resample } = this.config
    const kernel = kernels[resample as number]
    if (kernel) return kernel
    throw invalid(this.model, `resample ${JSON.stringify(resample)} is not supported: use 0, 1, 2 or 3`)
  }

  private factor(): number {
    const { rescale_factor: factor = clip.rescale_factor } = this.config
    if (typeof factor !== 'number') throw invalid(this.model, 'rescale_factor must be a number')
    return this.wants('do_rescale') ? factor : 1
  }

  private crop(): Preprocessing['crop'] {
    if (!this.wants('do_center_crop') || !(this.isClip || this.config['do_center_crop'] === true)) return undefined
    const crop = this.size('crop_size')
    if ('width' in crop) return crop
    throw invalid(this.model, 'crop_size must be a number or {height, width}')
  }

  private size(key: 'size' | 'crop_size'): NonNullable<Preprocessing['resize']> {
    const size = readSize(this.config[key] ?? clip[key], key === 'size' && this.isClip)
    if (size) return size
    throw invalid(this.model, `${key} must be a number, {height, width} or {shortest_edge}`)
  }

  private channels(key: 'image_mean' | 'image_std'): readonly number[] {
    const values = this.config[key] ?? clip[key]
    if (Array.isArray(values) && values.length === 3 && values.every((value) => typeof value === 'number'))
      return values
    throw invalid(this.model, `${key} must hold three numbers`)
  }

  private wants(step: string): boolean {
    return this.config[step] !== false
  }
}

/** CLIP's processor crops, and reads a plain number as the shorter side; the others do neither. */
const isClip = (config: Readonly<Record<string, unknown>>): boolean => {
  const type = config['image_processor_type'] ?? config['feature_extractor_type'] ?? 'CLIP'
  return typeof type === 'string' && /^(Chinese)?CLIP/.test(type)
}

const readSize = (size: unknown, byShortest: boolean) => {
  if (isLength(size)) return byShortest ? { shortest: size } : { width: size, height: size }
  if (!isRecord(size)) return undefined
  const { width, height, shortest_edge: shortest } = size
  if (isLength(width) && isLength(height)) return { width, height }
  return isLength(shortest) ? { shortest } : undefined
}

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 4096
