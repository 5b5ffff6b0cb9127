/** Files of sound, made here. */

export const tone = (hertz: number, rate: number, seconds: number, amplitude = 0.5): Float32Array =>
  Float32Array.from({ length: Math.round(rate * seconds) }, (_, index) =>
    Math.fround(amplitude * Math.sin((2 * Math.PI * hertz * index) / rate)),
  )

export async function* inBlocks(samples: Float32Array, size: number): AsyncGenerator<Float32Array> {
  for (let at = 0; at < samples.length; at += size) yield await Promise.resolve(samples.subarray(at, at + size))
}

export interface WavOptions {
  readonly rate?: number
  readonly channels?: number
  readonly tag: number
  readonly bits: number
  readonly extensible?: boolean
  readonly write: (bytes: Buffer, value: number, at: number) => void
}

/** The same samples in every channel. */
export const wav = (samples: Float32Array, options: WavOptions): Buffer => {
  const { rate = 16_000, channels = 1, tag, bits, extensible = false, write } = options
  const width = bits / 8
  const data = Buffer.alloc(samples.length * channels * width)
  samples.forEach((value, frame) => {
    for (let channel = 0; channel < channels; channel += 1) write(data, value, (frame * channels + channel) * width)
  })
  const format = Buffer.alloc(extensible ? 40 : 16)
  format.writeUInt16LE(extensible ? 0xfffe : tag, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE(rate * channels * width, 8)
  format.writeUInt16LE(channels * width, 12)
  format.writeUInt16LE(bits, 14)
  if (extensible) format.writeUInt16LE(tag, 24)
  const chunks = [chunk('fmt ', format), chunk('LIST', Buffer.from('odd')), chunk('data', data)]
  const body = Buffer.concat([Buffer.from('WAVE'), ...chunks])
  return chunk('RIFF', body)
}

export const chunk = (id: string, data: Buffer): Buffer => {
  const header = Buffer.alloc(8)
  header.write(id, 0, 'latin1')
  header.writeUInt32LE(data.length, 4)
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)])
}

const whole = (width: number) => (bytes: Buffer, value: number, at: number) =>
  void bytes.writeIntLE(Math.round(value * (2 ** (8 * width - 1) - 1)), at, width)

/** Every format of samples whose values can be written without a table. */
export const sampleFormats: Readonly<Record<string, WavOptions>> = {
  u8: { tag: 1, bits: 8, write: (bytes, value, at) => void bytes.writeUInt8(Math.round(128 + 127 * value), at) },
  s16: { tag: 1, bits: 16, write: whole(2) },
  s24: { tag: 1, bits: 24, write: whole(3) },
  s32: { tag: 1, bits: 32, write: whole(4) },
  f32: { tag: 3, bits: 32, write: (bytes, value, at) => void bytes.writeFloatLE(value, at) },
  f64: { tag: 3, bits: 64, write: (bytes, value, at) => void bytes.writeDoubleLE(value, at) },
  'extensible s16': { tag: 1, bits: 16, extensible: true, write: whole(2) },
  'extensible f32': {
    tag: 3,
    bits: 32,
    extensible: true,
    write: (bytes, value, at) => void bytes.writeFloatLE(value, at),
  },
}

export const s16 = sampleFormats['s16'] as WavOptions

export const aiff = (samples: Float32Array, rate: number, compression?: 'sowt' | 'SOWT'): Buffer => {
  const common = Buffer.alloc(compression ? 24 : 18)
  common.writeUInt16BE(1, 0)
  common.writeUInt32BE(samples.length, 2)
  common.writeUInt16BE(16, 6)
  const exponent = Math.floor(Math.log2(rate))
  common.writeUInt16BE(16_383 + exponent, 8)
  common.writeBigUInt64BE(BigInt(rate) << BigInt(63 - exponent), 10)
  if (compression) common.write(compression, 18, 'latin1')
  const data = Buffer.alloc(8 + 2 * samples.length)
  samples.forEach((value, index) => {
    const number = Math.round(value * 32_767)
    if (compression) data.writeInt16LE(number, 8 + 2 * index)
    else data.writeInt16BE(number, 8 + 2 * index)
  })
  const body = [Buffer.from(compression ? 'AIFC' : 'AIFF'), bigChunk('COMM', common), bigChunk('SSND', data)]
  return bigChunk('FORM', Buffer.concat(body))
}

const bigChunk = (id: string, data: Buffer): Buffer => {
  const header = Buffer.alloc(8)
  header.write(id, 0, 'latin1')
  header.writeUInt32BE(data.length, 4)
  return Buffer.concat([header, data])
}

/** Frames whose samples are stored as they are ("verbatim"). */
export const flac = (samples: Float32Array, rate: 16_000 | 44_100): Buffer => {
  const size = 4096
  const info = Buffer.alloc(38)
  info.writeUInt8(0x80, 0)
  info.writeUIntBE(34, 1, 3)
  info.writeUInt16BE(size, 4)
  info.writeUInt16BE(size, 6)
  info.writeBigUInt64BE((BigInt(rate) << 44n) | (15n << 36n) | BigInt(samples.length), 14)
  const frames: Buffer[] = []
  for (let start = 0; start < samples.length; start += size)
    frames.push(flacFrame(samples.subarray(start, start + size), frames.length, rate === 16_000 ? 0x75 : 0x79))
  return Buffer.concat([Buffer.from('fLaC'), info, ...frames])
}

const flacFrame = (samples: Float32Array, index: number, sizeAndRate: number): Buffer => {
  const header = Buffer.from([0xff, 0xf8, sizeAndRate, 0x08, index, 0, 0])
  header.writeUInt16BE(samples.length - 1, 5)
  const body = Buffer.alloc(1 + 2 * samples.length)
  body.writeUInt8(0x02, 0)
  samples.forEach((value, at) => body.writeInt16BE(Math.round(value * 32_767), 1 + 2 * at))
  const frame = Buffer.concat([header, Buffer.from([crc(header, 8, 0x07)]), body])
  const check = Buffer.alloc(2)
  check.writeUInt16BE(crc(frame, 16, 0x8005))
  return Buffer.concat([frame, check])
}

const crc = (bytes: Buffer, bits: number, polynomial: number): number => {
  const top = 1 << (bits - 1)
  let value = 0
  for (const byte of bytes) {
    value ^= byte << (bits - 8)
    for (let bit = 0; bit < 8; bit += 1) value = ((value << 1) ^ (value & top ? polynomial : 0)) & (2 * top - 1)
  }
  return value
}

export interface ConstantFlac {
  readonly channels: number
  readonly frames: number
  /** Samples of a frame, in each channel. */
  readonly size: number
  /** Hz of a frame, which its header says. */
  readonly rateOf: (index: number) => number
}

/** Frames of samples that are all alike, which take some ten bytes each. */
export const constantFlac = (options: ConstantFlac): Buffer => {
  const { channels, frames, size, rateOf } = options
  const info = Buffer.alloc(38)
  info.writeUInt8(0x80, 0)
  info.writeUIntBE(34, 1, 3)
  info.writeUInt16BE(size, 4)
  info.writeUInt16BE(size, 6)
  info.writeBigUInt64BE((BigInt(rateOf(0)) << 44n) | (BigInt(channels - 1) << 41n) | (15n << 36n), 14)
  const all = Array.from({ length: frames }, (_, index) => constantFrame(options, index))
  return Buffer.concat([Buffer.from('fLaC'), info, ...all])
}

const constantFrame = ({ channels, size, rateOf }: ConstantFlac, index: number): Buffer => {
  const sizeAndRate = Buffer.alloc(4)
  sizeAndRate.writeUInt16BE(size - 1, 0)
  sizeAndRate.writeUInt16BE(rateOf(index), 2)
  const start = Buffer.from([0xff, 0xf8, 0x7d, ((channels - 1) << 4) | 0x08])
  // the number is written as a character is in UTF-8
  const header = Buffer.concat([start, Buffer.from(String.fromCodePoint(index)), sizeAndRate])
  const subframes = Buffer.alloc(3 * channels)
  for (let channel = 0; channel < channels; channel += 1) subframes.writeInt16BE(1000, 3 * channel + 1)
  const frame = Buffer.concat([header, Buffer.from([crc(header, 8, 0x07)]), subframes])
  const check = Buffer.alloc(2)
  check.writeUInt16BE(crc(frame, 16, 0x8005))
  return Buffer.concat([frame, check])
}
