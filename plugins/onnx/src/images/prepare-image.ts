import type { Sharp } from 'sharp'
import { maxSide, openImage, pixelsOf } from './open-image.js'
import { ImageError } from './image-error.js'
import type { Preprocessing, Size } from './preprocessor-config.js'

/** An image as a model takes it: three planes (red, green, blue) of rows. */
export interface Planes extends Size {
  readonly values: Float32Array
}

/** Decodes off the event loop. @throws ImageError */
export const prepareImage = async (image: Uint8Array, preprocessing: Preprocessing): Promise<Planes> => {
  const { pipeline, width, height } = await openImage(image)
  const size = resized({ width, height }, preprocessing)
  if (Math.max(size.width, size.height) > maxSide)
    throw new ImageError(`has an extreme aspect ratio (${width} × ${height} pixels): crop it`)
  const { resize, kernel, crop } = preprocessing
  const scaled = resize ? pipeline.resize({ ...size, kernel, fit: 'fill', fastShrinkOnLoad: false }) : pipeline
  return toPlanes(await pixelsOf(crop ? centreCrop(scaled, size, crop) : scaled), crop ?? size, preprocessing)
}

/** The size after scaling; rounded down, as in the transformers library. */
const resized = ({ width, height }: Size, { resize }: Preprocessing): Size => {
  if (!resize) return { width, height }
  if ('width' in resize) return resize
  const { shortest } = resize
  return width < height
    ? { width: shortest, height: Math.max(Math.floor((shortest * height) / width), 1) }
    : { width: Math.max(Math.floor((shortest * width) / height), 1), height: shortest }
}

const centreCrop = (image: Sharp, size: Size, crop: Size): Sharp => {
  const [x, y] = [margins(size.width, crop.width), margins(size.height, crop.height)]
  const inner = image.extract({ left: x.cut, top: y.cut, width: x.kept, height: y.kept })
  if (!x.before && !x.after && !y.before && !y.after) return inner
  return inner.extend({ left: x.before, right: x.after, top: y.before, bottom: y.after, background: 'black' })
}

/** Along one axis: how many pixels are cut off at the start, kept, and added before and after. */
const margins = (size: number, target: number) => {
  const kept = Math.min(size, target)
  const before = Math.ceil((target - kept) / 2)
  return { cut: Math.floor((size - kept) / 2), kept, before, after: target - kept - before }
}

/** Normalises rows of red, green and blue bytes. */
export const toPlanes = (
  bytes: Uint8Array,
  { width, height }: Size,
  { rescale, mean, std }: Pick<Preprocessing, 'rescale' | 'mean' | 'std'>,
): Planes => {
  const values = new Float32Array(bytes.length)
  const plane = width * height
  for (let channel = 0; channel < 3; channel++) {
    const [centre, scale] = [mean[channel] ?? 0, std[channel] ?? 1]
    for (let pixel = 0; pixel < plane; pixel++)
      values[channel * plane + pixel] = ((bytes[pixel * 3 + channel] ?? 0) * rescale - centre) / scale
  }
  return { width, height, values }
}
