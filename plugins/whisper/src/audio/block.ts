import { failure } from '@sallyport/core'

/** A block of decoded audio. */
export interface AudioBlock {
  /** Samples per second. */
  readonly rate: number
  /** Samples of each channel, -1..1; all channels are of equal length. */
  readonly channels: readonly Float32Array[]
}

/** Reads a file from its beginning to its end, a block at a time. */
export type AudioDecoder = (path: string, signal: AbortSignal) => AsyncIterable<AudioBlock>

export const unsupported = (problem: string, cause?: unknown) =>
  failure('unsupported_media', { problem }, ...(cause === undefined ? [] : [{ cause }]))

const maxChannels = 64
const rateLimits = { min: 1000, max: 768_000 } as const

/** Checks what a header declares. @throws unsupported_media */
export const checkFormat = (rate: number, channels: number): void => {
  if (!(rate >= rateLimits.min && rate <= rateLimits.max))
    throw unsupported(`the header of the file declares an impossible sample rate of ${rate} Hz`)
  if (!(channels >= 1 && channels <= maxChannels))
    throw unsupported(`the header of the file declares ${channels} channels; from 1 to ${maxChannels} are possible`)
}
