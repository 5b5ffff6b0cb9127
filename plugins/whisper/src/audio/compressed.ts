import { wasmDecoder } from './wasm.js'

export const decodeMp3 = wasmDecoder(async () => new (await import('mpg123-decoder')).MPEGDecoder())

export const decodeFlac = wasmDecoder(async () => new (await import('@wasm-audio-decoders/flac')).FLACDecoder())

export const decodeOggVorbis = wasmDecoder(
  async () => new (await import('@wasm-audio-decoders/ogg-vorbis')).OggVorbisDecoder(),
)

export const decodeOggOpus = wasmDecoder(async () => new (await import('ogg-opus-decoder')).OggOpusDecoder())
