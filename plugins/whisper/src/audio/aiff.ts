import { unsupported } from './block.js'
import type { AudioBlock } from './block.js'
import { reading } from './file-bytes.js'
import type { FileBytes } from './file-bytes.js'
import type { SampleFormat } from './pcm.js'
import { storedSamples } from './samples.js'
import type { StoredSamples } from './samples.js'

const mostChunks = 10_000

/** AIFF, and AIFF-C with samples that are stored as they are. */
export const decodeAiff = (path: string, signal: AbortSignal): AsyncGenerator<AudioBlock> =>
  reading(path, (file) => storedSamples(file, findSamples(file), signal))

const findSamples = (file: FileBytes): StoredSamples => {
  let common: ReturnType<typeof readCommon> | undefined
  let sound: { start: number; end: number } | undefined
  let position = 12
  for (let count = 0; count < mostChunks && !(common && sound); count += 1) {
    const header = file.read(position, 8)
    if (header.length < 8) break
    const id = header.toString('latin1', 0, 4)
    const size = header.readUInt32BE(4)
    const start = position + 8
    if (id === 'COMM') common = readCommon(file.read(start, Math.min(size, 22)))
    if (id === 'SSND') sound = soundData(file, start, size)
    position = start + size + (size % 2)
  }
  if (!common) throw unsupported('the file has no description of its samples')
  if (!sound) throw unsupported('the file holds no sample')
  return { ...common, ...sound }
}

/** Before the samples stand how many bytes to leave out, and a size of blocks. */
const soundData = (file: FileBytes, start: number, size: number) => {
  const header = file.read(start, 8)
  const offset = header.length === 8 ? header.readUInt32BE(0) : 0
  return { start: start + 8 + offset, end: start + size }
}

const readCommon = (bytes: Buffer) => {
  if (bytes.length < 18) throw unsupported('the header of the file is cut off')
  const width = Math.ceil(bytes.readUInt16BE(6) / 8)
  const compression = bytes.length >= 22 ? bytes.toString('latin1', 18, 22) : 'NONE'
  return {
    channels: bytes.readUInt16BE(0),
    rate: Math.round(extended(bytes.subarray(8, 18))),
    format: formatOf(compression, width),
  }
}

const formatOf = (compression: string, width: number): SampleFormat => {
  const formats: Readonly<Record<string, SampleFormat | undefined>> = {
    NONE: { kind: 'signed', width, bigEndian: true },
    twos: { kind: 'signed', width, bigEndian: true },
    sowt: { kind: 'signed', width, bigEndian: false },
    'raw ': { kind: 'unsigned', width: 1, bigEndian: true },
    fl32: { kind: 'float', width: 4, bigEndian: true },
    FL32: { kind: 'float', width: 4, bigEndian: true },
    fl64: { kind: 'float', width: 8, bigEndian: true },
    FL64: { kind: 'float', width: 8, bigEndian: true },
    alaw: { kind: 'alaw', width: 1, bigEndian: true },
    ALAW: { kind: 'alaw', width: 1, bigEndian: true },
    ulaw: { kind: 'mulaw', width: 1, bigEndian: true },
    ULAW: { kind: 'mulaw', width: 1, bigEndian: true },
  }
  const format = formats[compression]
  if (!format) throw unsupported('the file is an AIFF with compressed samples, which are not read: convert it')
  return format
}

/** IEEE 754 extended precision, 80 bits. */
const extended = (bytes: Buffer): number => {
  const exponent = bytes.readUInt16BE(0) & 0x7fff
  return Number(bytes.readBigUInt64BE(2)) * 2 ** (exponent - 16_383 - 63)
}
