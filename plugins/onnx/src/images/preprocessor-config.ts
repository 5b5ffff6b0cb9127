import { failure } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'

type ResizeKernel = 'nearest' | 'lanczos3' | 'linear' | 'cubic'

/** In pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** How a model's images are preprocessed, as `preprocessor_config.json` states it. */
export interface Preprocessing {
  /** The length of the shorter side, or the lengths of both. */
  readonly resize?: { readonly shortest: number } | Size
  readonly kernel: ResizeKernel
  /** The size of the centre crop; smaller images are padded with black. */
  readonly crop?: Size
  /** A value is (byte × rescale − mean) / std, per channel. */
  readonly rescale: number
  readonly mean: readonly number[]
  readonly std: readonly number[]
}

/** Resampling filters by their numbers in PIL; the decoder's library has no box and no Hamming filter. */
const kernels: Readonly<Record<number, ResizeKernel>> = { 0: 'nearest', 1: 'lanczos3', 2: 'linear', 3: 'cubic' }

/** The defaults of CLIP's own processor. */
const clip = {
  size: { shortest_edge: 224 },
  crop_size: 224,
  resample: 3,
  rescale_factor: 1 / 255,
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_std: [0.26862954, 0.26130258, 0.27577711],
}

type Config = Readonly<Record<string, unknown>>

/** A value that is not supported. */
class ConfigError extends Error {}

/**
 * Reads a parsed `preprocessor_config.json`; CLIP's values apply where there is none.
 * @throws model_invalid for values that are not supported, because other preprocessing would make wrong vectors
 */
export const readPreprocessing = (model: string, config: unknown = {}): Preprocessing => {
  try {
    if (!isRecord(config)) throw new ConfigError('must hold an object')
    return preprocessingOf(config)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw failure('model_invalid', { model, problem: `preprocessor_config.json: ${error.message}` })
  }
}

const preprocessingOf = (config: Config): Preprocessing => {
  const crop = cropOf(config)
  const normalizes = isEnabled(config, 'do_normalize')
  return {
    ...(isEnabled(config, 'do_resize') && { resize: sizeOf(config, 'size') }),
    kernel: kernelOf(config),
    ...(crop && { crop }),
    rescale: rescaleFactor(config),
    mean: normalizes ? channelsOf(config, 'image_mean') : [0, 0, 0],
    std: normalizes ? channelsOf(config, 'image_std') : [1, 1, 1],
  }
}

const kernelOf = ({ resample = clip.resample }: Config): ResizeKernel => {
  const kernel = kernels[resample as number]
  if (kernel) return kernel
  throw new ConfigError(`resample ${JSON.stringify(resample)} is not supported: use 0, 1, 2 or 3`)
}

const rescaleFactor = (config: Config): number => {
  const { rescale_factor: factor = clip.rescale_factor } = config
  if (typeof factor !== 'number') throw new ConfigError('rescale_factor must be a number')
  return isEnabled(config, 'do_rescale') ? factor : 1
}

const cropOf = (config: Config): Preprocessing['crop'] => {
  const { do_center_crop: step } = config
  if (typeof step === 'boolean' ? !step : !isClip(config)) return undefined
  const crop = sizeOf(config, 'crop_size')
  if ('width' in crop) return crop
  throw new ConfigError('crop_size must be a number or {height, width}')
}

const sizeOf = (config: Config, key: 'size' | 'crop_size'): NonNullable<Preprocessing['resize']> => {
  const size = readSize(config[key] ?? clip[key], key === 'size' && isClip(config))
  if (size) return size
  throw new ConfigError(`${key} must be a number, {height, width} or {shortest_edge}`)
}

const channelsOf = (config: Config, key: 'image_mean' | 'image_std'): readonly number[] => {
  const values = config[key] ?? clip[key]
  if (Array.isArray(values) && values.length === 3 && values.every((value) => typeof value === 'number')) return values
  throw new ConfigError(`${key} must hold three numbers`)
}

/** Steps are done unless the file turns them off. */
const isEnabled = (config: Config, step: string): boolean => config[step] !== false

/** CLIP's processor crops by default, and reads a plain number as the shorter side; others do neither. */
const isClip = (config: Config): boolean => {
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
