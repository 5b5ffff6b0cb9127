import type { FileBytes } from '../file-bytes.js'
import { checkFormat, unsupported } from './block.js'
import type { AudioBlock } from './block.js'

/** Where and how a file stores uncompressed samples. */
export interface PcmLayout {
  readonly rate: number
  readonly channels: number
  readonly format: SampleFormat
  /** Byte offsets in the file; `end` may lie beyond its end. */
  readonly start: number
  readonly end: number
}

const framesPerBlock = 16_384

/** Reads the samples block by block. @throws unsupported_media for impossible formats */
export async function* readPcm(
  file: FileBytes,
  { rate, channels, format, start, end }: PcmLayout,
  signal: AbortSignal,
): AsyncGenerator<AudioBlock> {
  checkFormat(rate, channels)
  if (start >= Math.min(end, file.size)) throw unsupported('the file has no samples')
  const size = framesPerBlock * channels * format.width
  for await (const bytes of file.chunks(signal, start, end, size))
    yield { rate, channels: deinterleave(bytes, channels, format) }
}

/** The maximum number of chunks before the samples. */
const maxChunks = 10_000

interface Chunk {
  readonly id: string
  /** Bytes, as the file declares. */
  readonly size: number
  /** Byte offset of its content. */
  readonly start: number
}

/** The chunks of a RIFF file, or of a big-endian IFF file. */
export function* chunksOf(file: FileBytes, bigEndian: boolean): Generator<Chunk> {
  let position = 12
  for (let count = 0; count < maxChunks; count += 1) {
    const header = file.read(position, 8)
    if (header.length < 8) return
    const size = bigEndian ? header.readUInt32BE(4) : header.readUInt32LE(4)
    yield { id: header.toString('latin1', 0, 4), size, start: position + 8 }
    position += 8 + size + (size % 2)
  }
}

/** How a sample is stored. */
export interface SampleFormat {
  readonly kind: 'unsigned' | 'signed' | 'float' | 'alaw' | 'mulaw'
  /** Bytes of a sample. */
  readonly width: number
  readonly bigEndian: boolean
}

type SampleReader = (bytes: Buffer, at: number) => number

/** Samples of interleaved channels, -1..1. Bytes after the last whole frame are left out. */
export const deinterleave = (bytes: Buffer, channels: number, format: SampleFormat): Float32Array[] => {
  const read = readerOf(format)
  const frames = Math.floor(bytes.length / (channels * format.width))
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames)
    for (let frame = 0; frame < frames; frame += 1) {
      const value = read(bytes, (frame * channels + channel) * format.width)
      samples[frame] = Number.isFinite(value) ? value : 0
    }
    return samples
  })
}

const readerOf = (format: SampleFormat): SampleReader => {
  const read = readers[`${format.kind}${format.width}${format.bigEndian && format.width > 1 ? 'be' : ''}`]
  if (!read) throw unsupported(`the file has ${8 * format.width}-bit samples of a kind that is not supported`)
  return read
}

const integer = (width: number, bigEndian: boolean): SampleReader => {
  const scale = 2 ** (8 * width - 1)
  return bigEndian
    ? (bytes, at) => bytes.readIntBE(at, width) / scale
    : (bytes, at) => bytes.readIntLE(at, width) / scale
}

/** ITU-T G.711. */
const alaw = (code: number): number => {
  const value = code ^ 0x55
  const exponent = (value & 0x70) >> 4
  const mantissa = ((value & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (value & 0x80 ? magnitude : -magnitude) / 32_768
}

const mulaw = (code: number): number => {
  const value = ~code & 0xff
  const magnitude = ((((value & 0x0f) << 3) + 0x84) << ((value & 0x70) >> 4)) - 0x84
  return (value & 0x80 ? -magnitude : magnitude) / 32_768
}

const readers: Readonly<Record<string, SampleReader | undefined>> = {
  unsigned1: (bytes, at) => (bytes.readUInt8(at) - 128) / 128,
  ...Object.fromEntries(
    [1, 2, 3, 4].flatMap((width) => [
      [`signed${width}`, integer(width, false)],
      [`signed${width}be`, integer(width, true)],
    ]),
  ),
  float4: (bytes, at) => bytes.readFloatLE(at),
  float4be: (bytes, at) => bytes.readFloatBE(at),
  float8: (bytes, at) => bytes.readDoubleLE(at),
  float8be: (bytes, at) => bytes.readDoubleBE(at),
  alaw1: (bytes, at) => alaw(bytes.readUInt8(at)),
  mulaw1: (bytes, at) => mulaw(bytes.readUInt8(at)),
}
