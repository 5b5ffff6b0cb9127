import { streamFile } from '../file-bytes.js'
import { batches } from '../samples.js'
import { checkFormat, unsupported } from './block.js'
import type { AudioBlock } from './block.js'
import { ebmlElements, readVint } from './ebml.js'
import { ffmpegDecoder } from './ffmpeg.js'
import { decodedBlock } from './wasm.js'

/** Ids of Matroska elements. */
const ids = {
  segment: 0x18538067,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackNumber: 0xd7,
  codec: 0x86,
  codecPrivate: 0x63a2,
  cluster: 0x1f43b675,
  group: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const

const filter = {
  containers: new Set<number>([ids.segment, ids.tracks, ids.track, ids.cluster, ids.group]),
  values: new Set<number>([ids.trackNumber, ids.codec, ids.codecPrivate, ids.block, ids.simpleBlock]),
}

interface Track {
  number: number
  codec: string
  header: Buffer | undefined
}

/** Packets that are decoded in one call; their samples are held in memory. */
const packetsPerBatch = 25
/** Limits of the description of tracks, which precedes the first cluster. */
const [maxElements, maxTracks, maxHeaderBytes] = [100_000, 100, 64 * 1024]
const rate = 48_000

/** Only these codec names are repeated in messages: others are arbitrary text of the file. */
const otherCodecs = ['A_VORBIS', 'A_AAC', 'A_FLAC', 'A_ALAC', 'A_MPEG', 'A_AC3', 'A_EAC3', 'A_DTS', 'A_TRUEHD', 'A_PCM']

/** Decodes WebM and Matroska with Opus; ffmpeg decodes other codecs. */
export async function* decodeMatroska(path: string, signal: AbortSignal): AsyncGenerator<AudioBlock> {
  const track = await findTrack(path, signal)
  if (track.codec !== 'A_OPUS') {
    const codec = otherCodecs.find((name) => track.codec === name || track.codec.startsWith(`${name}/`))
    yield* ffmpegDecoder('matroska', `WebM or Matroska with ${codec ?? 'another codec'}`)(path, signal)
    return
  }
  const { OpusDecoder } = await import('opus-decoder')
  const options = opusOptions(track.header)
  checkFormat(rate, options.channels)
  const decoder = new OpusDecoder(options)
  try {
    await decoder.ready
    for await (const packets of batches(packetsOf(path, track.number, signal), packetsPerBatch))
      yield* decodedBlock(decoder.decodeFrames(packets))
  } finally {
    decoder.free()
  }
}

/** The first Opus track, or else the first audio track. */
const findTrack = async (path: string, signal: AbortSignal): Promise<Track> => {
  const tracks: Track[] = []
  const elements = streamFile(path, (file) => ebmlElements(file, filter, signal, maxElements))
  for await (const { id, data } of elements) {
    const track = tracks.at(-1)
    if (id === ids.track && tracks.length === maxTracks) break
    if (id === ids.track) tracks.push({ number: 0, codec: '', header: undefined })
    else if (id === ids.trackNumber && track)
      track.number = data.length ? data.readUIntBE(0, Math.min(6, data.length)) : 0
    else if (id === ids.codec && track) track.codec = data.toString('latin1', 0, 100).replace(/\0+$/, '')
    else if (id === ids.codecPrivate && track && data.length <= maxHeaderBytes) track.header = data
    else if (id === ids.cluster) break
  }
  const audioTracks = tracks.filter(({ codec }) => codec.startsWith('A_'))
  const chosen = audioTracks.find(({ codec }) => codec === 'A_OPUS') ?? audioTracks[0]
  if (!chosen) throw unsupported('the file has no audio track')
  return chosen
}

/** The Opus packets of a track. Laced blocks, with several packets each, are refused: Opus is not laced in practice. */
const packetsOf = (path: string, track: number, signal: AbortSignal): AsyncGenerator<Buffer> =>
  streamFile(path, async function* (file) {
    for await (const { id, data } of ebmlElements(file, filter, signal)) {
      const packet = id === ids.block || id === ids.simpleBlock ? packetOf(data, track) : undefined
      if (packet) yield packet
    }
  })

/** A block begins with the track's number, a time code and flags. */
const packetOf = (data: Buffer, track: number): Buffer | undefined => {
  const number = readVint(data, 0)
  if (number?.value !== track || data.length < number.width + 3) return undefined
  const flags = data[number.width + 2] ?? 0
  if (flags & 0x06) throw unsupported('the file has laced packets, which are not read: convert it')
  return data.subarray(number.width + 3)
}

/** Options of the decoder from an Opus header (RFC 7845, section 5.1); stereo where there is no header. */
const opusOptions = (head: Buffer | undefined) => {
  if (!head || head.length < 19 || head.toString('latin1', 0, 8) !== 'OpusHead') return { channels: 2 }
  const channels = head.readUInt8(9)
  const preSkip = head.readUInt16LE(10)
  if (head.readUInt8(18) === 0) return { channels, preSkip }
  if (head.length < 21 + channels) throw unsupported('the header of the Opus stream is cut off')
  return {
    channels,
    preSkip,
    streamCount: head.readUInt8(19),
    coupledStreamCount: head.readUInt8(20),
    channelMappingTable: [...head.subarray(21, 21 + channels)],
  }
}
