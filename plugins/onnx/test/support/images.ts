import sharp from 'sharp'
import type { Bitmap } from './reference-resize.js'

/** Soft waves of colour. */
export const waves = (width: number, height: number): Bitmap => ({
  width,
  height,
  values: Array.from({ length: width * height * 3 }, (_, index) => {
    const [x, y] = [Math.floor(index / 3) % width, Math.floor(index / 3 / width)]
    return Math.round(127 + 120 * Math.sin((x * (1 + (index % 3))) / 9) * Math.cos(y / 7))
  }),
})

export const encoded = async ({ width, height, values }: Bitmap, format: 'png' | 'webp' | 'gif' | 'jpeg' = 'png') =>
  sharp(Uint8Array.from(values), { raw: { width, height, channels: 3 } })
    .toFormat(format, format === 'webp' ? { lossless: true } : {})
    .toBuffer()

export const plain = (width: number, height: number, values: readonly number[]): Bitmap => ({
  width,
  height,
  values: Array.from({ length: width * height }, () => values).flat(),
})
