import { streamFile } from '../file-bytes.js'
import type { FileBytes } from '../file-bytes.js'
import { unsupported } from './block.js'
import type { AudioBlock } from './block.js'
import { chunksOf, readPcm } from './pcm.js'
import type { SampleFormat, PcmLayout } from './pcm.js'

/** Reads AIFF, and AIFF-C with uncompressed samples. */
export const decodeAiff = (path: string, signal: AbortSignal): AsyncGenerator<AudioBlock> =>
  streamFile(path, (file) => readPcm(file, findSamples(file), signal))

const findSamples = (file: FileBytes): PcmLayout => {
  let common: ReturnType<typeof readCommon> | undefined
  let sound: { start: number; end: number } | undefined
  for (const { id, size, start } of chunksOf(file, true)) {
    if (id === 'COMM') common = readCommon(file.read(start, Math.min(size, 22)))
    if (id === 'SSND') sound = soundData(file, start, size)
    if (common && sound) break
  }
  if (!common) throw unsupported('the file has no COMM chunk')
  if (!sound) throw unsupported('the file has no samples')
  return { ...common, ...sound }
}

/** The chunk begins with an offset of the samples and a block size, 4 bytes each. */
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

/** Formats by the compression of AIFF-C, whose names some programs write in capitals. */
const formats: Readonly<Record<string, Pick<SampleFormat, 'kind'> & Partial<SampleFormat>>> = {
  none: { kind: 'signed' },
  twos: { kind: 'signed' },
  sowt: { kind: 'signed', bigEndian: false },
  'raw ': { kind: 'unsigned', width: 1 },
  fl32: { kind: 'float', width: 4 },
  fl64: { kind: 'float', width: 8 },
  alaw: { kind: 'alaw', width: 1 },
  ulaw: { kind: 'mulaw', width: 1 },
}

const formatOf = (compression: string, width: number): SampleFormat => {
  const format = formats[compression.toLowerCase()]
  if (!format) throw unsupported('the file is an AIFF with compressed samples, which are not read: convert it')
  return { width, bigEndian: true, ...format }
}

/** IEEE 754 extended precision, 80 bits. */
const extended = (bytes: Buffer): number => {
  const exponent = bytes.readUInt16BE(0) & 0x7fff
  return Number(bytes.readBigUInt64BE(2)) * 2 ** (exponent - 16_383 - 63)
}
