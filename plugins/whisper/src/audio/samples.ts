import { checkFormat, unsupported } from './block.js'
import type { AudioBlock } from './block.js'
import type { FileBytes } from './file-bytes.js'
import { deinterleave } from './pcm.js'
import type { SampleFormat } from './pcm.js'

/** Where the samples of a file are that stores them as they are. */
export interface StoredSamples {
  readonly rate: number
  readonly channels: number
  readonly format: SampleFormat
  /** Bytes from the beginning of the file; `end` may lie behind the end of it. */
  readonly start: number
  readonly end: number
}

const framesAtOnce = 16_384

/** @throws unsupported_media for what no sound has */
export async function* storedSamples(
  file: FileBytes,
  { rate, channels, format, start, end }: StoredSamples,
  signal: AbortSignal,
): AsyncGenerator<AudioBlock> {
  checkFormat(rate, channels)
  if (start >= Math.min(end, file.size)) throw unsupported('the file holds no sample')
  const size = framesAtOnce * channels * format.width
  for await (const bytes of file.chunks(signal, start, end, size))
    yield { rate, channels: deinterleave(bytes, channels, format) }
}
