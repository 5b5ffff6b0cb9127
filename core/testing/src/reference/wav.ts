import { readFile } from 'node:fs/promises'
import { failure } from '@sallyport/core'

/** Sound as samples in -1..1, channels averaged. */
export interface Sound {
  readonly rate: number
  readonly samples: Float32Array
}

/** Reads a WAV file of 8 or 16 bit PCM. @throws unsupported_media */
export const readWav = async (file: string): Promise<Sound> => {
  const bytes = await readFile(file)
  const chunks = chunksOf(bytes)
  const [format, data] = [chunks.get('fmt '), chunks.get('data')]
  if (!format || format.length < 16 || !data) throw failure('unsupported_media', { problem: 'it is not a WAV file' })
  const [coding, channels, rate, bits] = [
    format.readUInt16LE(0),
    format.readUInt16LE(2),
    format.readUInt32LE(4),
    format.readUInt16LE(14),
  ]
  if (coding !== 1 || channels === 0 || rate === 0 || (bits !== 8 && bits !== 16))
    throw failure('unsupported_media', { problem: 'only WAV files of 8 or 16 bit PCM can be read' })
  return { rate, samples: averageChannels(data, channels, bits / 8) }
}

/** The chunks of a RIFF file by name; a chunk that claims more bytes than there are ends with the file. */
const chunksOf = (bytes: Buffer): Map<string, Buffer> => {
  const chunks = new Map<string, Buffer>()
  const isWave = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WAVE'
  for (let at = 12; isWave && at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4)
    chunks.set(bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8, at + 8 + length))
    at += 8 + length + (length % 2)
  }
  return chunks
}

const averageChannels = (data: Buffer, channels: number, width: number): Float32Array =>
  new Float32Array(Math.floor(data.length / (channels * width))).map((_, frame) => {
    let sum = 0
    for (let channel = 0; channel < channels; channel++) {
      const at = (frame * channels + channel) * width
      sum += width === 1 ? (data.readUInt8(at) - 128) / 128 : data.readInt16LE(at) / 32768
    }
    return sum / channels
  })
