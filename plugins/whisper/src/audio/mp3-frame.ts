/** Kilobits a second: of MPEG 1 by layer (1, 2, 3), then of MPEG 2 (layer 1; layers 2 and 3). */
const bitrates = {
  1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  low1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  low: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const

const sampleRates = [44_100, 48_000, 32_000]

/** Bytes of the frame of MPEG audio whose header stands there; undefined where none does. */
export const mp3FrameLength = (bytes: Buffer, at: number): number | undefined => {
  if (at + 4 > bytes.length) return undefined
  const header = bytes.readUInt32BE(at)
  const version = (header >>> 19) & 3
  const layer = 4 - ((header >>> 17) & 3)
  const rateIndex = (header >>> 12) & 15
  const sampleIndex = (header >>> 10) & 3
  if (header >>> 21 !== 0x7ff || version === 1 || layer === 4 || sampleIndex === 3) return undefined
  const full = version === 3
  const table = full ? bitrates[layer as 1 | 2 | 3] : layer === 1 ? bitrates.low1 : bitrates.low
  const bits = 1000 * (table[rateIndex] ?? 0)
  if (bits === 0) return undefined
  const rate = (sampleRates[sampleIndex] ?? 0) / (full ? 1 : version === 2 ? 2 : 4)
  const padding = (header >>> 9) & 1
  if (layer === 1) return 4 * (Math.floor((12 * bits) / rate) + padding)
  const samples = layer === 3 && !full ? 576 : 1152
  return Math.floor((samples / 8) * (bits / rate)) + padding
}
