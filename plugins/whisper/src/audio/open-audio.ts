import { withFile } from '../file-bytes.js'
import { decodeAiff } from './aiff.js'
import { unsupported } from './block.js'
import type { AudioBlock, AudioDecoder } from './block.js'
import { ffmpegDecoder } from './ffmpeg.js'
import { headBytes, detectFormat } from './format.js'
import type { AudioFormat } from './format.js'
import { decodeMatroska } from './matroska.js'
import { Resampler } from './resampler.js'
import { decodeFlac, decodeMp3, decodeOggOpus, decodeOggVorbis } from './wasm.js'
import { decodeWav } from './wav.js'

const decoders: Readonly<Record<Extract<AudioFormat, string>, AudioDecoder>> = {
  wav: decodeWav,
  aiff: decodeAiff,
  flac: decodeFlac,
  mp3: decodeMp3,
  'ogg-vorbis': decodeOggVorbis,
  'ogg-opus': decodeOggOpus,
  'ogg-flac': decodeFlac,
  matroska: decodeMatroska,
}

/** Decodes an audio file to one channel at a sample rate, a block at a time. @throws unsupported_media */
export async function* openAudio(path: string, rate: number, signal: AbortSignal): AsyncGenerator<Float32Array> {
  const format = formatOf(path)
  const decoder = typeof format === 'string' ? decoders[format] : ffmpegDecoder(format.demuxer, format.name)
  let empty = true
  for await (const samples of resampled(decoder(path, signal), rate)) {
    signal.throwIfAborted()
    if (samples.length === 0) continue
    empty = false
    yield samples
  }
  if (empty) throw unsupported('the file has no audio that can be decoded')
}

const formatOf = (path: string): AudioFormat =>
  withFile(path, (file) => {
    if (file.size === 0) throw unsupported('the file is empty')
    const format = detectFormat(file.read(0, headBytes))
    if (format === undefined) throw unsupported('the file is not audio of a known format')
    return format
  })

/** Each change needs a new resampling filter, which is expensive to compute. */
const maxRateChanges = 100

/** Resamples blocks, whose rate may change within a file of some formats. */
async function* resampled(blocks: AsyncIterable<AudioBlock>, rate: number): AsyncGenerator<Float32Array> {
  let current: { readonly rate: number; readonly resampler: Resampler } | undefined
  let changes = 0
  for await (const block of blocks) {
    if (current?.rate !== block.rate) {
      changes += 1
      if (changes > maxRateChanges) throw unsupported('the file changes its sample rate too often')
      if (current) yield current.resampler.flush()
      current = { rate: block.rate, resampler: new Resampler(block.rate, rate) }
    }
    yield current.resampler.push(downmix(block))
  }
  if (current) yield current.resampler.flush()
}

/**
 * Downmix weights by the number of channels, in the usual order of loudspeakers (after ITU-R BS.775): speech comes from
 * the centre, and the low-frequency channel has no speech. With other numbers, all channels have the same weight.
 */
const sideWeight = Math.SQRT1_2
const channelWeights: Readonly<Record<number, readonly number[]>> = {
  3: [sideWeight, sideWeight, 1],
  5: [sideWeight, sideWeight, 1, sideWeight / 2, sideWeight / 2],
  6: [sideWeight, sideWeight, 1, 0, sideWeight / 2, sideWeight / 2],
  7: [sideWeight, sideWeight, 1, 0, sideWeight / 2, sideWeight / 2, sideWeight / 2],
  8: [sideWeight, sideWeight, 1, 0, sideWeight / 2, sideWeight / 2, sideWeight / 2, sideWeight / 2],
}

/** Mixes all channels into one, never louder than the loudest of them. */
const downmix = ({ channels }: AudioBlock): Float32Array => {
  const [first] = channels
  if (!first || channels.length === 1) return first ?? new Float32Array()
  const weights = channelWeights[channels.length] ?? channels.map(() => 1)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const mixed = new Float32Array(first.length)
  channels.forEach((samples, channel) => {
    const weight = (weights[channel] ?? 0) / sum
    if (weight === 0) return
    for (let index = 0; index < mixed.length; index += 1)
      mixed[index] = (mixed[index] ?? 0) + weight * (samples[index] ?? 0)
  })
  return mixed
}
