import { setImmediate } from 'node:timers/promises'
import { reading } from '../file-bytes.js'
import { checkFormat, unsupported } from './block.js'
import type { AudioBlock } from './block.js'

interface Decoded {
  readonly channelData: readonly Float32Array[]
  readonly samplesDecoded: number
  readonly sampleRate: number
}

/** The decoders of the wasm-audio-decoders project have this in common. */
interface WasmDecoder {
  readonly ready: Promise<void>
  decode(bytes: Uint8Array): Decoded | Promise<Decoded>
  flush?(): Decoded | Promise<Decoded>
  free(): void
}

/**
 * Bytes that a decoder is given at once. What it makes of them is held in memory, and there is no bound to that but
 * this: ten bytes of FLAC may be half a million samples.
 */
const bytesAtOnce = 512

/**
 * A decoder for files that are read in parts. What is damaged is left out, as far as the decoder gets over it.
 * @param make loads the library, which happens here and nowhere earlier
 */
const wasmDecoder = (make: () => Promise<WasmDecoder>) => (path: string, signal: AbortSignal) =>
  reading(path, async function* (file): AsyncGenerator<AudioBlock> {
    const decoder = await make()
    try {
      await decoder.ready
      for await (const bytes of file.chunks(signal))
        for (let start = 0; start < bytes.length; start += bytesAtOnce)
          yield* blocks(await decode(decoder, bytes.subarray(start, start + bytesAtOnce)))
      if (decoder.flush) yield* blocks(await decode(decoder))
    } finally {
      decoder.free()
    }
  })

const decode = async (decoder: WasmDecoder, bytes?: Uint8Array): Promise<Decoded | undefined> => {
  try {
    return await (bytes ? decoder.decode(bytes) : decoder.flush?.())
  } catch (cause) {
    throw unsupported('the file is damaged: it cannot be decoded', cause)
  }
}

async function* blocks(decoded: Decoded | undefined): AsyncGenerator<AudioBlock> {
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
