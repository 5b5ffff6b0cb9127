import { decode as decodePng } from 'fast-png'
import type { Raster } from '../engine.js'

export const decodePicture = (bytes: Uint8Array): Raster => {
  const { width, height, data, channels } = decodePng(bytes)
  const rgb = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = data[i * channels + (channels >= 3 ? c : 0)] ?? 0
  return { width, height, data: rgb }
}
