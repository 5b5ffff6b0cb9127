import { streamFile } from '../file-bytes.js'
import type { FileBytes } from '../file-bytes.js'
import { unsupported } from './block.js'
import type { AudioBlock } from './block.js'
import { chunksOf, readPcm } from './pcm.js'
import type { SampleFormat, PcmLayout } from './pcm.js'

/** Declared where the size was unknown when the header was written, or does not fit into 32 bits. */
const unknownSize = 0xffffffff

/** Reads RIFF, and RF64 for files above 4 GiB. Declared sizes are cut to that of the file. */
export const decodeWav = (path: string, signal: AbortSignal): AsyncGenerator<AudioBlock> =>
  streamFile(path, (file) => readPcm(file, findSamples(file), signal))

const findSamples = (file: FileBytes): PcmLayout => {
  let format: ReturnType<typeof readFormat> | undefined
  let largeSize: number | undefined
  for (const { id, size, start } of chunksOf(file, false)) {
    if (id === 'fmt ') format = readFormat(file.read(start, Math.min(size, 40)))
    if (id === 'ds64') largeSize = largeDataSize(file.read(start, 16))
    if (id === 'data') {
      if (!format) throw unsupported('the file has no fmt chunk before its data')
      const length = size === unknownSize || size === 0 ? (largeSize ?? file.size) : size
      return { ...format, start, end: start + length }
    }
  }
  throw unsupported(format ? 'the file has no samples' : 'the file is cut off before its first sample')
}

const largeDataSize = (bytes: Buffer) => (bytes.length === 16 ? Number(bytes.readBigUInt64LE(8)) : undefined)

const extensible = 0xfffe
/** Kinds of samples by format tag; samples of 8 bits are unsigned. */
const kinds: Readonly<Record<number, SampleFormat['kind']>> = { 1: 'signed', 3: 'float', 6: 'alaw', 7: 'mulaw' }

const readFormat = (bytes: Buffer) => {
  if (bytes.length < 16) throw unsupported('the header of the file is cut off')
  const channels = bytes.readUInt16LE(2)
  const stored = bytes.readUInt16LE(0)
  // an extensible header has the format tag in the first bytes of a GUID
  const tag = stored === extensible && bytes.length >= 26 ? bytes.readUInt16LE(24) : stored
  const width = widthOf(bytes.readUInt16LE(12), channels, bytes.readUInt16LE(14))
  if (width === 0) throw unsupported('the header of the file declares samples of 0 bits')
  const declared = kinds[tag]
  if (!declared)
    throw unsupported(`the file is a wav with the format tag ${tag}, which is not supported: convert it to PCM`)
  const kind = declared === 'signed' && width === 1 ? 'unsigned' : declared
  return { rate: bytes.readUInt32LE(4), channels, format: { kind, width, bigEndian: false } }
}

/** Samples may take more bytes than their bits need; a block size that does not fit the channels is ignored. */
const widthOf = (block: number, channels: number, bits: number): number => {
  const needed = Math.ceil(bits / 8)
  const stored = channels > 0 && block % channels === 0 ? block / channels : 0
  return stored >= needed && [1, 2, 3, 4, 8].includes(stored) ? stored : needed
}
