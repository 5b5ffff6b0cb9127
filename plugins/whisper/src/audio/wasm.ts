import { setImmediate } from 'node:timers/promises'
import { streamFile } from '../file-bytes.js'
import { checkFormat, unsupported } from './block.js'
import type { AudioBlock } from './block.js'

interface DecodedAudio {
  readonly channelData: readonly Float32Array[]
  readonly samplesDecoded: number
  readonly sampleRate: number
}

/** The common interface of the decoders of the wasm-audio-decoders project. */
interface WasmDecoder {
  readonly ready: Promise<void>
  decode(bytes: Uint8Array): DecodedAudio | Promise<DecodedAudio>
  flush?(): DecodedAudio | Promise<DecodedAudio>
  free(): void
}

/**
 * Bytes that are decoded in one call. This alone bounds the samples that are held in memory: ten bytes of FLAC may be
 * half a million samples.
 */
const bytesPerCall = 512

/**
 * A decoder for files that are read in parts. Damaged parts are left out where the library recovers.
 * @param make imports the library, when the first file needs it
 */
const wasmDecoder = (make: () => Promise<WasmDecoder>) => (path: string, signal: AbortSignal) =>
  streamFile(path, async function* (file): AsyncGenerator<AudioBlock> {
    const decoder = await make()
    try {
      await decoder.ready
      for await (const bytes of file.chunks(signal))
        for (let start = 0; start < bytes.length; start += bytesPerCall)
          yield* decodedBlock(await decode(decoder, bytes.subarray(start, start + bytesPerCall)))
      if (decoder.flush) yield* decodedBlock(await decode(decoder))
    } finally {
      decoder.free()
    }
  })

const decode = async (decoder: WasmDecoder, bytes?: Uint8Array): Promise<DecodedAudio | undefined> => {
  try {
    return await (bytes ? decoder.decode(bytes) : decoder.flush?.())
  } catch (cause) {
    throw unsupported('the file is damaged: it cannot be decoded', cause)
  }
}

/** Copies the samples out of the decoder's memory, and lets others work. */
export async function* decodedBlock(decoded: DecodedAudio | undefined): AsyncGenerator<AudioBlock> {
  if (!decoded?.samplesDecoded) return
  checkFormat(decoded.sampleRate, decoded.channelData.length)
  yield { rate: decoded.sampleRate, channels: decoded.channelData.map((channel) => channel.slice()) }
  await setImmediate()
}

export const decodeMp3 = wasmDecoder(async () => new (await import('mpg123-decoder')).MPEGDecoder())

export const decodeFlac = wasmDecoder(async () => new (await import('@wasm-audio-decoders/flac')).FLACDecoder())

export const decodeOggVorbis = wasmDecoder(
  async () => new (await import('@wasm-audio-decoders/ogg-vorbis')).OggVorbisDecoder(),
)

export const decodeOggOpus = wasmDecoder(async () => new (await import('ogg-opus-decoder')).OggOpusDecoder())
